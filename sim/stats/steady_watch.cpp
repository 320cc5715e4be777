#include "sim/stats/steady_watch.h"

#include "sim/core/check.h"

namespace ftlab {
namespace {

// Below so many intervals in the steady half nothing is claimed.
constexpr std::size_t kFewestBatches = 10;
// Write amplification is a quotient of two sums. Its batches are equally many bytes of the host, not equally long times:
// seconds in which collection leaves little room to the host must not count like those in which it writes freely.
constexpr std::uint64_t kMostWaBatches = 64;

std::uint64_t sum(const PerDirection<std::uint64_t>& values) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values) all += value;
  return all;
}

}  // namespace

SteadyWatch::SteadyWatch(double fraction, std::uint64_t capacity_bytes, const Counters& before)
    : fraction_(fraction), capacity_bytes_(capacity_bytes), before_(before), next_look_(2 * kFewestBatches) {
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
  Estimate estimate{true, batches.mean(), batches.half_width(), false};
  const bool narrow = estimate.half_width <= fraction_ * estimate.mean;
  estimate.known = narrow && batches.count() >= kFewestBatches && !batches.correlated() && !batches.drifting();
  return estimate;
}

SteadyWatch::Verdict SteadyWatch::verdict() const {
  Verdict verdict;
  verdict.why_not = "the run ended within its first interval";
  if (rows_.empty()) return verdict;
  verdict.why_not.clear();
  const std::size_t first = rows_.size() / 2;
  const Counters* before = first > 0 ? &rows_[first - 1].device : &before_;
  verdict.at = rows_.back().end;
  verdict.from = rows_[first].end - rows_[first].length;
  std::uint64_t written = before_.host_write_bytes, written_later = 0;
  for (std::size_t i = 0; i < first; ++i) written += rows_[i].bytes[static_cast<std::size_t>(Direction::write)];
  BatchMeans iops, wa;
  const std::uint64_t batch_bytes = difference(rows_.back().device, *before).host_write_bytes / kMostWaBatches;
  for (std::size_t i = first; i < rows_.size(); ++i) {
    const SeriesRow& row = rows_[i];
    iops.add(static_cast<double>(sum(row.requests)) * 1e9 / static_cast<double>(row.length.count()));
    written_later += row.bytes[static_cast<std::size_t>(Direction::write)];
    const Counters batch = difference(row.device, *before);
    if (batch.host_write_bytes == 0 || batch.host_write_bytes < batch_bytes) continue;
    wa.add(static_cast<double>(batch.media_write_bytes()) / static_cast<double>(batch.host_write_bytes));
    before = &row.device;
  }
  verdict.iops = estimate(iops);
  verdict.wa = estimate(wa);
  if (written_later > 0 && written < 2 * capacity_bytes_) {
    verdict.why_not = "the drive was not written twice over before";
  } else if (written_later > 0 && written_later < capacity_bytes_) {
    verdict.why_not = "the steady part did not write the drive once over";
  } else if (iops.count() < kFewestBatches) {
    verdict.why_not = "too few intervals";
  } else if (!verdict.iops.known) {
    verdict.why_not = "the requests per second are not known within the wanted interval";
  } else if (verdict.wa.measured && !verdict.wa.known) {
    verdict.why_not = "write amplification is not known within the wanted interval";
  }
  verdict.reached = verdict.why_not.empty();
  return verdict;
}

}  // namespace ftlab
