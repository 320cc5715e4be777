// Write amplification at the end of a run, beside that of the whole run: the mean over a run that began with an empty or a
// sequentially written drive lies far below what the drive has come to.
//
// The window is the last intervals of the series that hold at least a tenth of the host's writes, or of the requests of a
// run without writes. A last interval of less than half the usual length holds what was outstanding when the jobs ended: it
// belongs to the window but is not a batch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/stats/run_stats.h"
#include "sim/stats/steady_watch.h"

namespace ftlab {

struct FinalWindow {
  Nanoseconds from{0}, to{0};
  std::uint64_t from_bytes = 0, to_bytes = 0;  // the same by what the host had written in the run
  Counters run;                                // what happened in it
  PerDirection<std::uint64_t> bytes{}, requests{};
  std::optional<double> iops_half_width;  // same for requests per second, all directions
  double wa = 0;                          // media bytes by host bytes; 0 without writes
  std::optional<double> half_width;       // of the 95 % confidence interval (batch_means.h); nothing: too few intervals
  bool steady = false;                    // within 2 %, by the rules of steady_watch.h
  std::string why_not_steady;             // empty when it is

  std::uint64_t host_bytes() const { return run.host_write_bytes; }
};

// Nothing for a run without requests, and for one without writes or a clock.
std::optional<FinalWindow> final_window(const RunStats& stats, const DeviceSize& size);

}  // namespace ftlab
