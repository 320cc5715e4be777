#include "sim/stats/log_windows.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"
#include "sim/stats/rate.h"

namespace ftlab {

namespace {

constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;

LogRow averaged(Nanoseconds end, std::size_t direction, std::uint64_t value) {
  return {end.count() / kNanosecondsPerMillisecond, value, static_cast<Direction>(direction), 0, 0};
}

// Mean, rounded half up as in fio.
std::uint64_t rounded_mean(std::uint64_t sum, std::uint64_t count) { return (sum + count / 2) / count; }

}  // namespace

void LogWindows::add(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency, std::uint64_t offset) {
  if (interval_ == Nanoseconds{0}) return add_single(at, direction, bytes, latency, offset);
  if (at > window_end_) close_windows_before(at);
  Window& window = window_[static_cast<std::size_t>(direction)];
  ++window.requests;
  window.bytes += bytes;
  window.latency_ns += latency.count();
  window.largest_ns = std::max(window.largest_ns, latency.count());
}

void LogWindows::add_single(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency,
                            std::uint64_t offset) {
  LogRow row{at.count() / kNanosecondsPerMillisecond, 1, direction, bytes, offset};
  if (wanted_.iops) rows_.iops.push_back(row);
  row.value = latency.count();
  if (wanted_.latency) rows_.latency.push_back(row);
  row.value = latency.count() == 0 ? 0 : bytes * 1'000'000 / latency.count();
  if (wanted_.bandwidth) rows_.bandwidth.push_back(row);
}

void LogWindows::finish(Nanoseconds end) {
  if (interval_ == Nanoseconds{0}) return;
  if (end > window_end_) close_windows_before(end);
  if (end == window_end_) write_rates();
  write_latencies(end);
  window_ = {};
}

// Closes windows until the open one contains `at`. Empty windows in between are skipped at once.
void LogWindows::close_windows_before(Nanoseconds at) {
  write_rates();
  write_latencies(window_end_);
  window_ = {};
  const std::uint64_t passed = (at - window_end_).count() + interval_.count() - 1;
  window_end_ += interval_ * (passed / interval_.count());
}

void LogWindows::write_rates() {
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (window_[d].requests == 0) continue;
    if (wanted_.bandwidth) {
      rows_.bandwidth.push_back(averaged(window_end_, d, kib_per_s(window_[d].bytes, interval_)));
    }
    if (wanted_.iops) rows_.iops.push_back(averaged(window_end_, d, per_s(window_[d].requests, interval_)));
  }
}

void LogWindows::write_latencies(Nanoseconds end) {
  if (!wanted_.latency) return;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (window_[d].requests == 0) continue;
    const std::uint64_t mean = rounded_mean(window_[d].latency_ns, window_[d].requests);
    rows_.latency.push_back(averaged(end, d, wanted_.largest ? window_[d].largest_ns : mean));
  }
}

void HistogramWindows::add(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency) {
  if (at > window_end_) {
    close_window();
    window_end_ += interval_ * (((at - window_end_).count() + interval_.count() - 1) / interval_.count());
  }
  Window& window = windows_[static_cast<std::size_t>(direction)];
  window.latency.add(latency);
  window.block_bytes = bytes;
}

void HistogramWindows::close_window() {
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    Window& window = windows_[d];
    if (window.latency.count() == 0) continue;
    HistogramRow row{window_end_.count() / 1'000'000, static_cast<Direction>(d), window.block_bytes, {}};
    for (std::size_t bin = 0; bin < Histogram::kBinCount; ++bin)
      if (window.latency.bin(bin) != 0) row.bins.emplace_back(bin, window.latency.bin(bin));
    rows_.push_back(std::move(row));
    window = {};
  }
}

std::vector<HistogramRow> HistogramWindows::take(Nanoseconds end) {
  if (end >= window_end_) close_window();
  return std::move(rows_);
}

}  // namespace ftlab
