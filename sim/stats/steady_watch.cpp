#include "sim/stats/steady_watch.h"

#include <algorithm>

#include "sim/core/check.h"
#include "sim/counters.h"

namespace ftlab {
namespace {

// Minimum number of intervals in the steady half.
constexpr std::size_t kFewestBatches = 10;
// Write amplification is a quotient of two sums. Its batches hold equal numbers of host bytes instead of equal times:
// seconds in which GC leaves the host little bandwidth must not count like those in which the host writes freely.
constexpr std::uint64_t kMostWaBatches = 64;

std::uint64_t sum(const PerDirection<std::uint64_t>& values) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values) all += value;
  return all;
}

}  // namespace

double unwritten_share(const Counters& run, std::uint64_t mapping_bytes) {
  if (run.host_read_bytes == 0) return 0;
  const auto unwritten = static_cast<double>(run.unmapped_read_pages) * static_cast<double>(mapping_bytes);
  return std::min(1.0, unwritten / static_cast<double>(run.host_read_bytes));
}

SteadyWatch::SteadyWatch(double fraction, const DeviceSize& size, const Counters& before)
    : fraction_(fraction), size_(size), before_(before), next_look_(2 * kFewestBatches) {
  FTLAB_CHECK(fraction > 0 && fraction < 1, "a confidence interval of " + std::to_string(fraction) + " of the mean");
}

bool SteadyWatch::add(const SeriesRow& row) {
  rows_.push_back(row);
  if (rows_.size() < next_look_) return false;
  next_look_ = rows_.size() + 1 + rows_.size() / 20;
  return verdict().reached;
}

SteadyWatch::Estimate SteadyWatch::estimate(const BatchMeans& batches) const {
  if (batches.count() == 0) return {};
  Estimate estimate{true, batches.mean(), batches.half_width(), false, {}};
  if (batches.drifting())
    estimate.why_not = "still drifts";
  else if (batches.correlated())
    estimate.why_not = "changes in waves that are too long for this run";
  else if (!(estimate.half_width <= fraction_ * estimate.mean))
    estimate.why_not = "is not known within the wanted interval";
  else if (batches.count() < kFewestBatches)
    estimate.why_not = "is known from too few intervals";
  estimate.known = estimate.why_not.empty();
  return estimate;
}

std::string SteadyWatch::why_not(const Verdict& verdict, std::size_t first, std::size_t batches) const {
  const Counters& middle = first > 0 ? rows_[first - 1].device : before_;
  if (unwritten_share(difference(rows_.back().device, middle), size_.mapping_bytes) >= kUnwrittenShare)
    return "reads of space never written come from no flash";
  std::uint64_t written = before_.host_write_bytes, written_later = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    (i < first ? written : written_later) += rows_[i].bytes[static_cast<std::size_t>(Direction::write)];
  if (written_later > 0 && written < 2 * size_.capacity_bytes) return "the drive was not written twice over before";
  if (written_later > 0 && written_later < size_.capacity_bytes) return "the steady part did not write the drive once over";
  if (batches < kFewestBatches) return "too few intervals";
  if (verdict.iops.measured && !verdict.iops.known) return "throughput " + verdict.iops.why_not;
  if (verdict.wa.measured && !verdict.wa.known) return "write amplification " + verdict.wa.why_not;
  return {};
}

SteadyWatch::Verdict SteadyWatch::verdict() const {
  Verdict verdict;
  verdict.why_not = "the run ended within its first interval";
  if (rows_.empty()) return verdict;
  const std::size_t first = rows_.size() / 2;
  const Counters* before = first > 0 ? &rows_[first - 1].device : &before_;
  verdict.at = rows_.back().end;
  verdict.from = rows_[first].end - rows_[first].length;
  verdict.at_bytes = difference(rows_.back().device, before_).host_write_bytes;
  verdict.from_bytes = difference(*before, before_).host_write_bytes;
  BatchMeans iops, wa;
  const std::uint64_t batch_bytes = (verdict.at_bytes - verdict.from_bytes) / kMostWaBatches;
  for (std::size_t i = first; i < rows_.size(); ++i) {
    const SeriesRow& row = rows_[i];
    if (row.length.count() > 0)
      iops.add(static_cast<double>(sum(row.requests)) * 1e9 / static_cast<double>(row.length.count()));
    const Counters batch = difference(row.device, *before);
    if (batch.host_write_bytes == 0 || batch.host_write_bytes < batch_bytes) continue;
    wa.add(static_cast<double>(batch.media_write_bytes()) / static_cast<double>(batch.host_write_bytes));
    before = &row.device;
  }
  verdict.iops = estimate(iops);
  verdict.wa = estimate(wa);
  verdict.why_not = why_not(verdict, first, rows_[first].length.count() > 0 ? iops.count() : wa.count());
  verdict.reached = verdict.why_not.empty();
  return verdict;
}

}  // namespace ftlab
