// Turns the completions of one job into the rows of its logs, according to fio's log_avg_msec:
//   interval 0    one row for each completion: that request's own bandwidth, an IOPS value of 1, its latency
//   interval > 0  one row for each direction and window (start, end] that had completions, at its end: mean
//                 bandwidth, IOPS and latency. Empty windows give no row.
// As in fio, an incomplete last window gives a latency row but no bandwidth and IOPS rows: a rate over a few microseconds
// is meaningless. Unlike in fio, windows lie on a fixed grid; fio's drift, because its thread wakes up late.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/stats/run_stats.h"

namespace ftlab {

class LogWindows {
 public:
  // Wanted logs; the others stay empty and cost nothing.
  struct Wanted {
    bool bandwidth = false;
    bool iops = false;
    bool latency = false;
    bool largest = false;  // the largest latency of a window instead of the mean (log_max_value)
  };

  struct Rows {
    std::vector<LogRow> bandwidth;  // KiB/s; with interval 0 in 1000 bytes/s, as in fio
    std::vector<LogRow> iops;
    std::vector<LogRow> latency;  // ns
  };

  LogWindows(Nanoseconds interval, Wanted wanted) : interval_(interval), wanted_(wanted), window_end_(interval) {}

  // Adds a completion. `at` counts from the start of the measured part. REQUIRES: at does not decrease. 5 ns plus the rows.
  void add(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency, std::uint64_t offset);

  // Ends the logs at `end`. REQUIRES: end is not before the last completion.
  void finish(Nanoseconds end);

  const std::vector<LogRow>& bandwidth() const { return rows_.bandwidth; }
  const std::vector<LogRow>& iops() const { return rows_.iops; }
  const std::vector<LogRow>& latency() const { return rows_.latency; }

  // Moves all rows out: with a row per request they are large.
  Rows take() { return std::move(rows_); }

 private:
  struct Window {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    std::uint64_t latency_ns = 0;  // summed
    std::uint64_t largest_ns = 0;
  };

  void add_single(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency, std::uint64_t offset);
  void close_windows_before(Nanoseconds at);
  void write_rates();
  void write_latencies(Nanoseconds end);

  Nanoseconds interval_;
  Wanted wanted_;
  Nanoseconds window_end_;
  PerDirection<Window> window_{};
  Rows rows_;
};

// fio's histogram log: the latencies of each window by bins, one row per direction with completions, at the end of the
// window. As in fio, an incomplete last window gives no row; unlike in fio, windows lie on a fixed grid.

class HistogramWindows {
 public:
  explicit HistogramWindows(Nanoseconds interval) : interval_(interval), window_end_(interval) {}

  // Adds a completion. `at` counts from the start of the measured part. REQUIRES: at does not decrease.
  void add(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency);

  // Ends the log at `end`, and moves all rows out.
  std::vector<HistogramRow> take(Nanoseconds end);

 private:
  struct Window {
    Histogram latency;
    std::uint64_t block_bytes = 0;
  };

  void close_window();

  Nanoseconds interval_;
  Nanoseconds window_end_;
  PerDirection<Window> windows_{};
  std::vector<HistogramRow> rows_;
};

}  // namespace ftlab
