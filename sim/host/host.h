// The host: one loop that runs the jobs of a job file against any Device. Closed loop: a job keeps `iodepth` requests
// outstanding and issues the next the moment one completes. Open loop: requests come at their own times, whatever the
// device does (arrival sources come from traces and rates).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "sim/device.h"
#include "sim/host/power_switch.h"
#include "sim/power_event.h"
#include "sim/stats/run_stats.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

struct HostOptions {
  std::uint64_t seed = 1;
  Nanoseconds series_interval{1'000'000'000};
  const std::atomic<bool>* interrupted = nullptr;  // looked at now and then; makes run_jobs throw Interrupted
  // Looked at after every wait: nothing more is issued then, what is outstanding is waited for, and the run ends as if its
  // jobs had been short (RunStats::left_early). For devices that must not be left with requests in flight, and for runs
  // whose results so far are kept.
  const std::atomic<bool>* leave = nullptr;
  // Told about every interval of the series as it ends; true ends the run: nothing more is issued.
  std::function<bool(const SeriesRow&)> enough;
  // Told about every 2^14 completions; for a progress line.
  std::function<void(Nanoseconds now, std::uint64_t requests)> progress;
};

struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

// Runs all waves of jobs, one after the other, from simulated time 0 of the run. The jobs must outlive the statistics.
// A job whose request finds the device read-only ends there. Throws ConfigError, before anything is issued, when a job
// verifies on a device that does not tell what its reads return.
// On an untimed device the clock stands still, so jobs must be bounded by an amount: see untimed_problem().
RunStats run_jobs(Device& device, const std::vector<Job>& jobs, const HostOptions& options);

// Empty, or why a job cannot run without a clock: time_based, rates and delays need one.
std::string untimed_problem(const Job& job);

// A request at a time of its own: what a trace or an open-loop source produces. Or something that happens to the power.
struct Arrival {
  Nanoseconds at{0};
  Request request;
  PowerEvent power{};
};

// Open loop: submits every arrival at its time, in order, and waits for all of them. `next` returns false at the end;
// times must not decrease. Used for traces and for arrival processes. Requests that come before a device is there again
// after a power cut, or while the host waits to watch its flash, are issued then. REQUIRES: `power`, where any arrival is
// about it.
RunStats run_open_loop(Device& device, const std::function<bool(Arrival&)>& next, const Job& description,
                       const HostOptions& options, PowerSwitch* power = nullptr);

}  // namespace ftlab
