// Collects one SeriesRow per interval of a run. Intervals lie on a fixed grid of time, including empty ones. Without a clock
// an interval ends when the host has written a fixed number of bytes.
//
//   on every completion:   while (series.due(now)) series.close(device counters);   // one compare when nothing is due
//                          series.add(now, direction, bytes, latency);
//                          if (series.full()) series.close(device counters);        // without a clock
//   at the end:            series.finish(now, device counters);
//
// The counters are exact if the host advances its device to boundary() before it reads them; read at the first completion
// after the boundary, they include one request more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/check.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

// Limits memory: a run whose requests lie years apart would fill it with empty intervals.
inline constexpr std::size_t kMostSeriesRows = std::size_t{1} << 21;

class SeriesCollector {
 public:
  // Intervals are (start, start + interval], (start + interval, start + 2 interval] and so on. REQUIRES: interval > 0.
  SeriesCollector(Nanoseconds start, Nanoseconds interval, std::size_t most_rows = kMostSeriesRows);
  // Without a clock: an interval ends with the write that completes `written_bytes`. REQUIRES: written_bytes > 0.
  static SeriesCollector by_writes(std::uint64_t written_bytes);

  // End of the open interval (without a clock: the last completion), and whether `now` is after it.
  Nanoseconds boundary() const { return has_clock() ? boundary_ : last_; }
  bool due(Nanoseconds now) const { return now > boundary_; }
  bool full() const { return open_[static_cast<std::size_t>(Direction::write)].bytes >= written_bytes_; }

  // Ends the open interval at boundary(), and begins the next one. `device` is cumulative. About 10 us. Throws ConfigError
  // above `most_rows` rows.
  void close(const Counters& device);

  // Adds a completion to the open interval. REQUIRES: completed does not decrease and is not due. 5 ns.
  void add(Nanoseconds completed, Direction direction, std::uint64_t bytes, Nanoseconds latency);

  // Ends the series at `end`, with a shorter last interval unless a boundary has just been reached. No calls afterwards.
  // REQUIRES: end is not due.
  void finish(Nanoseconds end, const Counters& device);

  const std::vector<SeriesRow>& rows() const { return rows_; }

 private:
  struct Open {
    std::uint64_t bytes = 0;
    Histogram latency;
  };

  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};  // intervals end by time only
  bool has_clock() const { return written_bytes_ == kNoLimit; }
  void write_row(Nanoseconds end, const Counters& device);

  Nanoseconds interval_;
  std::uint64_t written_bytes_ = kNoLimit;
  std::size_t most_rows_;
  Nanoseconds start_;  // start of the open interval
  Nanoseconds boundary_;
  Nanoseconds last_;  // time of the last completion
  PerDirection<Open> open_;
  std::vector<SeriesRow> rows_;
};

inline void SeriesCollector::add(Nanoseconds completed, Direction direction, std::uint64_t bytes,
                                 Nanoseconds latency) {
  FTLAB_CHECK(completed >= last_ && !due(completed), "completed at " + std::to_string(completed.count()) +
                                                         " ns after one at " + std::to_string(last_.count()) +
                                                         " ns, boundary " + std::to_string(boundary_.count()) + " ns");
  last_ = completed;
  Open& open = open_[static_cast<std::size_t>(direction)];
  open.bytes += bytes;
  open.latency.add(latency);
}

}  // namespace ftlab
