// Runs a job file or a procedure on a real device, and saves results as they are measured.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "sim/procedures/device_under_test.h"
#include "sim/procedures/execute.h"
#include "sim/workload/files/job_file.h"
#include "validation/measure/device/real_device.h"
#include "validation/measure/device/watchdog.h"
#include "validation/measure/growing_folder.h"
#include "validation/results/result.h"

namespace ftlab {

class Expense;

// A real device under test: it takes requests, and time passes. Other abilities of a simulated drive are refused before
// anything starts.
class MeasuredDevice final : public DeviceUnderTest {
 public:
  // `clock`: the device whose clock is used. `device`: the same one, or a wrapper around it. For a mere rehearsal both may
  // be null.
  MeasuredDevice(Device* device, const RealDevice* clock, bool may_discard, const std::atomic<bool>& leave)
      : device_(device), clock_(clock), may_discard_(may_discard), leave_(leave) {}

  Device& device() override { return *device_; }
  Nanoseconds now() const override { return clock_->now(); }
  void ran_until(Nanoseconds) override {}
  // Throws Interrupted if the user wants to end.
  void idle(Nanoseconds duration) override;
  std::string cannot(Ability ability) const override;

 private:
  Device* device_;
  const RealDevice* clock_;
  bool may_discard_;
  const std::atomic<bool>& leave_;
};

class RealRun {
 public:
  struct Options {
    std::uint64_t seed = 1;
    nlohmann::ordered_json device;                        // for the result
    std::atomic<bool>* leave = nullptr;                   // set by signals, the watchdog and the health watch
    std::function<void(const SeriesRow&)> each_interval;  // progress
    std::function<std::string()> why_left;                // reason if something other than the user ended it, else empty
  };
  struct Outcome {
    std::string ended_because;  // empty: as planned
    bool interrupted = false;   // by the user
    std::uint64_t failed_requests = 0;
    std::uint64_t mismatches = 0;
    bool job_failed = false;
    std::string table;  // for the user
  };

  // All must outlive it. REQUIRES: `watchdog` stands in front of `device`.
  RealRun(RealDevice& device, Watchdog& watchdog, GrowingFolder& folder, Options options)
      : device_(device), watchdog_(watchdog), folder_(folder), options_(std::move(options)) {}

  // Both write all measurements into the folder, and the reason if the result is incomplete. Throw OutputError if the result
  // cannot be saved.
  Outcome run(const JobFile& jobs, Nanoseconds series_interval);
  Outcome execute(const Procedure& procedure, const std::string& procedure_text, MeasuredDevice& tested,
                  const JobContext& context);

 private:
  HostOptions host_options(Nanoseconds series_interval, const std::string& series);
  void keep(const std::string& folder, const JobFile& jobs, const RunStats& stats, const Expense& expense);
  std::string why_ended(bool lost) const;
  void conclude();
  bool leaving() const { return options_.leave->load(std::memory_order_relaxed); }

  RealDevice& device_;
  Watchdog& watchdog_;
  GrowingFolder& folder_;
  Options options_;
  Outcome outcome_;
};

}  // namespace ftlab
