// The jobs between two stonewalls against the device: who starts when, what each may do next, and whose end ends others.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sim/core/event_queue.h"
#include "sim/host/closed_loop.h"
#include "sim/host/rate_controlled_job.h"
#include "sim/host/request_tracker.h"
#include "sim/stats/steady_state.h"

namespace ftlab {

// One of the two, by what the job asks for.
struct JobRun {
  std::optional<ClosedLoop> plain;
  std::unique_ptr<RateControlledJob> paced;
};

class JobGroup {
 public:
  // REQUIRES: `runs` and `ends` have a place for each of `jobs`; all outlive the wave.
  JobGroup(Device& device, RequestTracker& tracker, const std::vector<Job>& jobs, std::vector<JobRun>& runs,
           std::vector<Nanoseconds>& ends)
      : device_(device), tracker_(tracker), jobs_(jobs), runs_(runs), ends_(ends) {}

  // Jobs [first, end) of the file, of which each starts at `at` and its own delay. `seed` draws the delays that are ranges.
  void add(std::size_t first, std::size_t end, Nanoseconds at, std::uint64_t seed);

  // Until all of them have ended.
  void run();

  // A job has ended all others, those of later waves as well (exit_what=all), or the desk has had enough.
  bool quits() const { return quits_; }

 private:
  enum class State : std::uint8_t { waiting, running, ended };
  struct Timer {
    enum class Kind : std::uint8_t { start, wake, sample } kind;
    std::size_t job;
  };
  struct Steady {
    SteadyState state;
    std::vector<std::size_t> jobs;  // that share a report
  };

  bool leave_if_asked(std::size_t completions);
  void ring(const EventQueue<Timer>::Event& event, Nanoseconds now);
  void start(std::size_t job, Nanoseconds now);
  void settle(const Completion& done);
  bool ends_at(std::size_t job, const Completion& done);
  bool issue_plain(std::size_t job, Nanoseconds now);
  void settle_paced(std::size_t job, const Completion& done);
  void touch(std::size_t job);
  void advance_touched(Nanoseconds now);
  bool advance(std::size_t job, Nanoseconds now);
  void wake_at(std::size_t job, Nanoseconds at);
  void end(std::size_t job, Nanoseconds now);
  void end_others(const Job& because, Nanoseconds now);
  void quit(Nanoseconds now);
  void stop(std::size_t job, Nanoseconds now);
  void start_waiting_for(const std::string& name, Nanoseconds now);
  bool must_wait(std::size_t job) const;
  void start_sampling(std::size_t job, Nanoseconds measured_from);
  void sample(std::size_t job, Nanoseconds now);
  void submit();
  bool mine(std::size_t job) const { return job >= first_ && job < end_; }

  Device& device_;
  RequestTracker& tracker_;
  const std::vector<Job>& jobs_;
  std::vector<JobRun>& runs_;
  std::vector<Nanoseconds>& ends_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::size_t live_ = 0;
  bool quits_ = false;
  bool leaving_ = false;

  EventQueue<Timer> timers_;
  std::vector<State> states_;  // by number in the wave, as all that follow
  std::vector<Nanoseconds> starts_;
  std::vector<Nanoseconds> wakes_;  // the latest wake-up that was asked for
  std::vector<bool> touched_;
  std::vector<std::size_t> to_advance_;
  std::vector<std::size_t> blocked_;      // until another job of their flow takes a token
  std::map<std::size_t, Steady> steady_;  // by report group
  TokenShares shares_;
  std::vector<Request> batch_;
};

}  // namespace ftlab
