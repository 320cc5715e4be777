// The host: one loop that runs the jobs of a job file against any Device. Closed loop: a job keeps `iodepth` requests
// outstanding and issues the next one as soon as one completes. Open loop: requests are issued at given times, whatever the
// device does (from traces and rates).
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
  const std::atomic<bool>* interrupted = nullptr;  // checked periodically; makes run_jobs() throw Interrupted
  // Checked after every wait. If true, nothing more is issued, outstanding requests are waited for, and the run ends as if
  // its jobs had been short (RunStats::left_early). For devices that must not be left with requests in flight, and for runs
  // whose results so far are kept.
  const std::atomic<bool>* leave = nullptr;
  // Called at the end of every interval of the series; returning true ends the run: nothing more is issued.
  std::function<bool(const SeriesRow&)> enough;
  // Called every 2^14 completions to update a progress line.
  std::function<void(Nanoseconds now, std::uint64_t requests)> progress;
};

struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

// Runs the job groups (separated by stonewalls) in sequence, from simulated time 0 of the run. The jobs must outlive the
// statistics. A job ends if one of its requests finds the device read-only. Throws ConfigError, before anything is issued,
// if a job verifies on a device that cannot report what its reads return, or does not fit the zones of the device.
// On an untimed device the clock stands still, so jobs must be bounded by an amount: see untimed_problem().
RunStats run_jobs(Device& device, const std::vector<Job>& jobs, const HostOptions& options);

// Reason why a job cannot run without a clock (time_based, rates and delays need one); empty if it can.
std::string untimed_problem(const Job& job);

// A request with the time at which it is issued, from a trace or an open-loop source; or a power event.
struct Arrival {
  Nanoseconds at{0};
  Request request;
  PowerEvent power{};
};

// Open loop: submits every arrival at its time, in order, and waits for all of them. `next` returns false at the end; times
// must not decrease. Used for traces and for arrival processes. Requests that arrive before the device is back after a power
// cut, or while the host waits for an idle device to watch its flash, are issued after that. REQUIRES: `power` is not null
// if any arrival is a power event.
RunStats run_open_loop(Device& device, const std::function<bool(Arrival&)>& next, const Job& description,
                       const HostOptions& options, PowerSwitch* power = nullptr);

}  // namespace ftlab
