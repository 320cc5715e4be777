// Collects one SeriesRow for each interval of a run. Intervals lie on a fixed grid of time, empty ones included. Without a
// clock an interval ends when the host has written a fixed number of bytes.
//
//   on every completion:   while (series.due(now)) series.close(device counters);   // one compare when nothing is due
//                          series.add(now, direction, bytes, latency);
//                          if (series.full()) series.close(device counters);        // without a clock
//   at the end:            series.finish(now, device counters);
//
// A host that can advance its device to boundary() before it reads the counters gets them exact; one that
// reads them at the completion behind the boundary counts a request more.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/stats/run_stats.h"

namespace ftlab {

// A run whose requests lie years apart would fill the memory with empty intervals.
inline constexpr std::size_t kMostSeriesRows = std::size_t{1} << 21;

class SeriesCollector {
 public:
  // Intervals are (start, start + interval], (start + interval, start + 2 interval] ... REQUIRES: interval >
  // 0.
  SeriesCollector(Nanoseconds start, Nanoseconds interval, std::size_t most_rows = kMostSeriesRows);
  // Without a clock: an interval ends with the write that completes `written_bytes`. REQUIRES: written_bytes > 0.
  static SeriesCollector by_writes(std::uint64_t written_bytes);

  // The end of the open interval, and whether `now` lies behind it. Without a clock: the last completion.
  Nanoseconds boundary() const { return has_clock() ? boundary_ : last_; }
  bool due(Nanoseconds now) const { return now > boundary_; }
  bool full() const { return open_[static_cast<std::size_t>(Direction::write)].bytes >= written_bytes_; }

  // Ends the open interval at boundary(); the next one begins. `device` is cumulative. About 10 us. Throws ConfigError for
  // more than `most_rows`.
  void close(const Counters& device);

  // One completion in the open interval. REQUIRES: completed does not decrease and is not due. 5 ns.
  void add(Nanoseconds completed, Direction direction, std::uint64_t bytes, Nanoseconds latency);

  // Ends the series at `end`, with a shorter last interval unless a boundary has just been reached. Nothing
  // may be added afterwards. REQUIRES: end is not due.
  void finish(Nanoseconds end, const Counters& device);

  const std::vector<SeriesRow>& rows() const { return rows_; }

 private:
  struct Open {
    std::uint64_t bytes = 0;
    Histogram latency;
  };

  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};  // an interval ends by time alone
  bool has_clock() const { return written_bytes_ == kNoLimit; }
  void write_row(Nanoseconds end, const Counters& device);

  Nanoseconds interval_;
  std::uint64_t written_bytes_ = kNoLimit;
  std::size_t most_rows_;
  Nanoseconds start_;  // of the open interval
  Nanoseconds boundary_;
  Nanoseconds last_;  // completion seen
  PerDirection<Open> open_;
  std::vector<SeriesRow> rows_;
};

}  // namespace ftlab
