// Turns the completions of one job into the rows of its logs, as fio's log_avg_msec asks:
//   interval 0    one row for each completion: bandwidth of that request alone, an IOPS value of 1, its latency
//   interval > 0  one row for each direction and window (start, end] that had completions, at the window's end: mean
//                 bandwidth, IOPS and latency. Empty windows give no row.
// As with fio, the last, incomplete window gives a latency row but no bandwidth and IOPS rows: over a few microseconds
// a rate means nothing. Unlike fio, windows lie on a fixed grid; fio's drift by how late its thread wakes up.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/stats/run_stats.h"

namespace ftlab {

class LogWindows {
 public:
  // Which logs are wanted; the others stay empty and cost nothing.
  struct Wanted {
    bool bandwidth = false;
    bool iops = false;
    bool latency = false;
  };

  LogWindows(Nanoseconds interval, Wanted wanted) : interval_(interval), wanted_(wanted), window_end_(interval) {}

  // One completion. `at` counts from the start of the measured part. REQUIRES: at does not decrease. 5 ns + rows.
  void add(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency, std::uint64_t offset);

  // Ends the logs at `end`. REQUIRES: end is not before the last completion.
  void finish(Nanoseconds end);

  const std::vector<LogRow>& bandwidth() const { return bandwidth_; }  // KiB/s (interval 0: 1000 bytes/s, as fio)
  const std::vector<LogRow>& iops() const { return iops_; }
  const std::vector<LogRow>& latency() const { return latency_; }  // ns

 private:
  struct Window {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    std::uint64_t latency_ns = 0;  // summed
  };

  void add_single(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency,
                  std::uint64_t offset);
  void close_windows_before(Nanoseconds at);
  void write_rates();
  void write_latencies(Nanoseconds end);

  Nanoseconds interval_;
  Wanted wanted_;
  Nanoseconds window_end_;
  PerDirection<Window> window_{};
  std::vector<LogRow> bandwidth_;
  std::vector<LogRow> iops_;
  std::vector<LogRow> latency_;
};

}  // namespace ftlab
