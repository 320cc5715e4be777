#include "sim/stats/final_window.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/counters.h"
#include "sim/stats/batch_means.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kShare = 10;  // the window holds at least 1 / kShare of the run
constexpr double kSteadyWithin = 0.02;
constexpr std::size_t kFewestInWindow = 4;

std::uint64_t requests_of(const SeriesRow& row) {
  return std::accumulate(row.requests.begin(), row.requests.end(), std::uint64_t{0});
}

std::uint64_t written_by(const SeriesRow& row) { return row.bytes[static_cast<std::size_t>(Direction::write)]; }

// True if the last interval only holds requests that were outstanding when the jobs ended.
bool ends_in_partial_interval(const std::vector<SeriesRow>& rows) {
  if (rows.size() < 2) return false;
  if (rows.front().length.count() == 0) return written_by(rows.back()) < written_by(rows.front()) / 2;
  return rows.back().length < rows.front().length / 2;
}

std::optional<double> half_width_of(const BatchMeans& batches) {
  const bool known = batches.count() >= kFewestInWindow && std::isfinite(batches.half_width());
  return known ? std::optional(batches.half_width()) : std::nullopt;
}

class Window {
 public:
  Window(const RunStats& stats, bool writes)
      : stats_(stats), rows_(stats.series), whole_rows_(rows_.size()), writes_(writes) {
    if (ends_in_partial_interval(rows_)) --whole_rows_;
    std::uint64_t all = 0, inside = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) all += amount(i);
    first_ = rows_.size() - 1;
    for (inside = amount(first_); first_ > 0 && inside * kShare < all;) inside += amount(--first_);
  }

  FinalWindow summed() const {
    FinalWindow window;
    window.from = rows_[first_].end - rows_[first_].length;
    window.to = stats_.ended;
    window.run = difference(stats_.device_after, before(first_));
    window.to_bytes = difference(stats_.device_after, stats_.device_before).host_write_bytes;
    window.from_bytes = window.to_bytes - window.run.host_write_bytes;
    for (std::size_t i = first_; i < rows_.size(); ++i) {
      for (std::size_t d = 0; d < kDirectionCount; ++d) {
        window.bytes[d] += rows_[i].bytes[d];
        window.requests[d] += rows_[i].requests[d];
      }
    }
    if (window.run.host_write_bytes > 0)
      window.wa = static_cast<double>(window.run.media_write_bytes()) / static_cast<double>(window.run.host_write_bytes);
    window.half_width = wa_half_width();
    window.iops_half_width = iops_half_width();
    return window;
  }

  std::size_t whole_rows() const { return whole_rows_; }

 private:
  std::uint64_t amount(std::size_t row) const {
    return writes_ ? difference(rows_[row].device, before(row)).host_write_bytes : requests_of(rows_[row]);
  }
  const Counters& before(std::size_t row) const { return row == 0 ? stats_.device_before : rows_[row - 1].device; }

  std::optional<double> wa_half_width() const {
    BatchMeans batches;
    for (std::size_t i = first_; i < whole_rows_; ++i) {
      const Counters batch = difference(rows_[i].device, before(i));
      if (batch.host_write_bytes == 0) continue;
      batches.add(static_cast<double>(batch.media_write_bytes()) / static_cast<double>(batch.host_write_bytes));
    }
    return half_width_of(batches);
  }

  std::optional<double> iops_half_width() const {
    BatchMeans batches;
    for (std::size_t i = first_; i < whole_rows_; ++i) {
      if (rows_[i].length.count() == 0) continue;
      batches.add(static_cast<double>(requests_of(rows_[i])) * 1e9 / static_cast<double>(rows_[i].length.count()));
    }
    return half_width_of(batches);
  }

  const RunStats& stats_;
  const std::vector<SeriesRow>& rows_;
  std::size_t whole_rows_;  // number of rows without a partial interval at the end
  bool writes_;
  std::size_t first_ = 0;
};

}  // namespace

std::optional<FinalWindow> final_window(const RunStats& stats, const DeviceSize& size) {
  const bool writes = difference(stats.device_after, stats.device_before).host_write_bytes > 0;
  const bool timed_requests = stats.ended.count() > 0 && stats.requests > 0;
  if (stats.series.empty() || !(writes || timed_requests)) return std::nullopt;
  const Window rows(stats, writes);
  FinalWindow window = rows.summed();
  SteadyWatch watch(kSteadyWithin, size, stats.device_before);
  for (std::size_t i = 0; i < rows.whole_rows(); ++i) watch.add(stats.series[i]);
  window.why_not_steady = watch.verdict().why_not;
  window.steady = window.why_not_steady.empty();
  return window;
}

}  // namespace ftlab
