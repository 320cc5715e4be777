// Write amplification at the end of a run, in addition to that of the whole run: the mean over a run that began on an empty
// or sequentially written drive is far below the level reached at its end.
//
// The window is the last intervals of the series that hold at least a tenth of the host's writes, or of the requests of a
// run without writes. A last interval of less than half the usual length holds requests that were outstanding when the jobs
// ended: it belongs to the window, but is not used as a batch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/stats/run_stats.h"
#include "sim/stats/steady_watch.h"

namespace ftlab {

struct FinalWindow {
  Nanoseconds from{0}, to{0};
  std::uint64_t from_bytes = 0, to_bytes = 0;  // `from` and `to` in bytes written by the host in the run
  Counters run;                                // counters of the window
  PerDirection<std::uint64_t> bytes{}, requests{};
  std::optional<double> iops_half_width;  // like half_width, for requests per second of all directions
  double wa = 0;                          // media bytes / host bytes; 0 without writes
  std::optional<double> half_width;       // half the 95 % confidence interval (batch_means.h); nullopt: too few intervals
  bool steady = false;                    // within 2 %, by the rules of steady_watch.h
  std::string why_not_steady;             // empty if steady

  std::uint64_t host_bytes() const { return run.host_write_bytes; }
};

// nullopt for a run without requests, and for one with neither writes nor a clock.
std::optional<FinalWindow> final_window(const RunStats& stats, const DeviceSize& size);

}  // namespace ftlab
