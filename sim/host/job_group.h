// Runs the jobs between two stonewalls on the device: starts them, decides what each may do next, and ends them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/host/jobs/advance_list.h"
#include "sim/host/jobs/closed_loop.h"
#include "sim/host/jobs/job_roster.h"
#include "sim/host/jobs/job_timers.h"
#include "sim/host/jobs/rate_controlled_job.h"
#include "sim/host/jobs/steady_sampling.h"
#include "sim/host/request_tracker.h"

namespace ftlab {

// Exactly one of the two is set, depending on the job's options.
struct JobRun {
  std::optional<ClosedLoop> plain;
  std::unique_ptr<RateControlledJob> paced;
};

class JobGroup {
 public:
  // REQUIRES: `runs` and `ends` have one element for each of `jobs`; all of them outlive the group.
  JobGroup(Device& device, RequestTracker& tracker, const std::vector<Job>& jobs, std::vector<JobRun>& runs,
           std::vector<Nanoseconds>& ends, JobRoster roster);

  // Returns when all jobs of the group have ended.
  void run();

  // True if later groups must not run: because of exit_what=all, HostOptions::enough or HostOptions::leave.
  bool quits() const { return quits_; }

 private:
  bool leave_if_asked(std::size_t completions);
  void ring(const JobTimers::Event& event, Nanoseconds now);
  void start(std::size_t job, Nanoseconds now);
  void settle(const Completion& done);
  bool ends_at(std::size_t job, const Completion& done);
  bool issue_plain(std::size_t job, Nanoseconds now);
  void settle_paced(std::size_t job, const Completion& done);
  void advance_all(Nanoseconds now);
  bool advance(std::size_t job, Nanoseconds now);
  void end(std::size_t job, Nanoseconds now);
  void report_paced(std::size_t job);
  void end_others(const Job& because, Nanoseconds now);
  void quit(Nanoseconds now);
  void stop(std::size_t job, Nanoseconds now);
  void start_waiting_for(const std::string& name, Nanoseconds now);
  void sample(std::size_t job, Nanoseconds now);
  void submit();

  Device& device_;
  RequestTracker& tracker_;
  const std::vector<Job>& jobs_;
  std::vector<JobRun>& runs_;
  std::vector<Nanoseconds>& ends_;
  JobRoster roster_;
  JobTimers timers_;
  AdvanceList to_advance_;
  SteadySampling steady_;
  TokenShares shares_;
  std::vector<Request> batch_;
  bool quits_ = false;
  bool leaving_ = false;
};

}  // namespace ftlab
