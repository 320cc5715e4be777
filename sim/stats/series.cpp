#include "sim/stats/series.h"

#include <cmath>
#include <string>

#include "sim/core/check.h"
#include "sim/core/error.h"

namespace ftlab {

SeriesCollector::SeriesCollector(Nanoseconds start, Nanoseconds interval, std::size_t most_rows)
    : interval_(interval), most_rows_(most_rows), start_(start), boundary_(start + interval), last_(start) {
  FTLAB_CHECK(interval.count() > 0, "a series needs an interval");
}

SeriesCollector SeriesCollector::by_writes(std::uint64_t written_bytes) {
  FTLAB_CHECK(written_bytes > 0, "a series needs an interval");
  SeriesCollector series(Nanoseconds{0}, kNever);
  series.written_bytes_ = written_bytes;
  return series;
}

void SeriesCollector::close(const Counters& device) { write_row(boundary(), device); }

void SeriesCollector::finish(Nanoseconds end, const Counters& device) {
  FTLAB_CHECK(end >= last_ && !due(end), "series ended at " + std::to_string(end.count()) + " ns, boundary " +
                                             std::to_string(boundary_.count()) + " ns");
  if (end > start_ || !has_clock()) write_row(end, device);
}

void SeriesCollector::write_row(Nanoseconds end, const Counters& device) {
  if (rows_.size() == most_rows_)
    throw ConfigError({"series.csv", 0}, "", "would have more than " + std::to_string(most_rows_) + " rows",
                      std::to_string(end.count()) + " ns of simulated time",
                      "longer intervals (log_avg_msec), or a shorter run");
  SeriesRow row;
  row.end = end;
  row.length = end - start_;
  row.device = device;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    const Histogram& latency = open_[d].latency;
    if (latency.count() == 0) continue;
    row.bytes[d] = open_[d].bytes;
    row.requests[d] = latency.count();
    row.latency_mean_ns[d] = (latency.total_ns() + latency.count() / 2) / latency.count();
    row.latency_p50_ns[d] = latency.percentile_ns(50);
    row.latency_p99_ns[d] = latency.percentile_ns(99);
    row.latency_p99_9_ns[d] = latency.percentile_ns(99.9);
    row.latency_max_ns[d] = latency.max_ns();
    open_[d] = {};
  }
  rows_.push_back(row);
  start_ = end;
  if (has_clock()) boundary_ = end + interval_;
}

}  // namespace ftlab
