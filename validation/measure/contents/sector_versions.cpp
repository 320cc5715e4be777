#include "validation/measure/contents/sector_versions.h"

#include <algorithm>
#include <iterator>

namespace ftlab {

// Splits the run, if any, that contains both `sector` and the sector before it.
void SectorVersions::split(std::uint64_t sector) {
  auto run = runs_.upper_bound(sector);
  if (run == runs_.begin()) return;
  --run;
  if (run->first == sector || run->second.end <= sector) return;
  runs_.emplace_hint(std::next(run), sector, Run{run->second.end, version_at(run, sector)});
  run->second.end = sector;
}

// All runs have the same step, so of two overlapping runs the same one is later in every shared sector.
void SectorVersions::raise(std::uint64_t first, std::uint64_t end, std::uint64_t version) {
  has_last_ = false;
  split(first);
  split(end);
  std::uint64_t at = first;  // done up to here
  for (auto run = runs_.lower_bound(first); at < end;) {
    const std::uint64_t next = run == runs_.end() ? end : std::min(end, run->first);
    if (next > at) runs_.emplace_hint(run, at, Run{next, version + step_ * (at - first)});
    at = next;
    if (at >= end) break;
    run->second.version = std::max(run->second.version, version + step_ * (at - first));
    at = run->second.end;
    ++run;
  }
}

std::optional<std::uint64_t> SectorVersions::at(std::uint64_t sector) const {
  const auto holds = [&](Runs::const_iterator run) {
    return run != runs_.end() && run->first <= sector && sector < run->second.end;
  };
  if (has_last_ && holds(last_)) return version_at(last_, sector);
  if (has_last_ && sector >= last_->second.end) {
    const auto next = std::next(last_);
    if (next == runs_.end() || sector < next->first) return std::nullopt;
    if (holds(next)) return version_at(last_ = next, sector);
  }
  auto run = runs_.upper_bound(sector);
  if (run == runs_.begin()) return std::nullopt;
  last_ = --run;
  has_last_ = true;
  if (!holds(run)) return std::nullopt;
  return version_at(run, sector);
}

std::uint64_t SectorVersions::sectors() const {
  std::uint64_t sum = 0;
  for (const auto& [first, run] : runs_) sum += run.end - first;
  return sum;
}

}  // namespace ftlab
