#include "sim/stats/final_window.h"

#include <algorithm>
#include <cmath>

#include "sim/stats/batch_means.h"
#include "sim/stats/steady_watch.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kShare = 10;  // the window holds at least one part in so many of what the host wrote
constexpr double kSteadyWithin = 0.02;
constexpr std::size_t kFewestInWindow = 4;

bool ends_in_stub(const std::vector<SeriesRow>& rows) {
  return rows.size() > 1 && rows.back().length < rows.front().length / 2;
}

std::optional<double> half_width_of(const std::vector<SeriesRow>& rows, std::size_t first, const Counters& before) {
  BatchMeans batches;
  const Counters* last = &before;
  for (std::size_t i = first; i < rows.size() - ends_in_stub(rows); ++i) {
    const Counters batch = difference(rows[i].device, *last);
    last = &rows[i].device;
    if (batch.host_write_bytes == 0) continue;
    batches.add(static_cast<double>(batch.media_write_bytes()) / static_cast<double>(batch.host_write_bytes));
  }
  const bool known = batches.count() >= kFewestInWindow && std::isfinite(batches.half_width());
  return known ? std::optional(batches.half_width()) : std::nullopt;
}

}  // namespace

std::optional<FinalWindow> final_window(const RunStats& stats, std::uint64_t capacity_bytes) {
  const std::uint64_t written = difference(stats.device_after, stats.device_before).host_write_bytes;
  if (written == 0 || stats.series.empty()) return std::nullopt;
  const auto before = [&stats](std::size_t row) -> const Counters& {
    return row == 0 ? stats.device_before : stats.series[row - 1].device;
  };
  std::size_t first = stats.series.size() - 1;
  const auto in_window = [&] { return difference(stats.device_after, before(first)).host_write_bytes; };
  while (first > 0 && in_window() * kShare < written) --first;
  FinalWindow window;
  window.from = stats.series[first].end - stats.series[first].length;
  window.to = stats.ended;
  window.run = difference(stats.device_after, before(first));
  window.wa = static_cast<double>(window.run.media_write_bytes()) / static_cast<double>(window.run.host_write_bytes);
  window.half_width = half_width_of(stats.series, first, before(first));
  SteadyWatch watch(kSteadyWithin, capacity_bytes, stats.device_before);
  for (std::size_t i = 0; i < stats.series.size() - ends_in_stub(stats.series); ++i) watch.add(stats.series[i]);
  window.why_not_steady = watch.verdict().why_not;
  window.steady = window.why_not_steady.empty();
  return window;
}

}  // namespace ftlab
