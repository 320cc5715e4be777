// fio's histogram log: the latencies of each window by bins, one row per direction with completions, at the end of the
// window. As in fio, an incomplete last window gives no row; unlike in fio, windows lie on a fixed grid.
#pragma once

#include <vector>

#include "sim/stats/run_stats.h"

namespace ftlab {

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
