#include "models/hdd/read_cache.h"

#include <algorithm>

namespace ftlab {

void ReadCache::to_front(std::size_t index) {
  std::rotate(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(index),
              segments_.begin() + static_cast<std::ptrdiff_t>(index) + 1);
}

bool ReadCache::holds(Sector first, Sector end) {
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (first < segments_[i].first || end > segments_[i].end) continue;
    to_front(i);
    return true;
  }
  return false;
}

bool ReadCache::has(Sector first, Sector end) const {
  return std::any_of(segments_.begin(), segments_.end(),
                     [&](const Segment& segment) { return segment.first <= first && end <= segment.end; });
}

void ReadCache::add(Sector first, Sector end) {
  if (config_.segments == 0 || first == end) return;
  const auto continues = [&](const Segment& segment) { return segment.first <= first && first <= segment.end; };
  const auto found = std::find_if(segments_.begin(), segments_.end(), continues);
  if (found != segments_.end()) {
    found->end = std::max(found->end, end);
    to_front(static_cast<std::size_t>(found - segments_.begin()));
  } else {
    if (segments_.size() == config_.segments) segments_.pop_back();
    segments_.insert(segments_.begin(), {first, end});
  }
  Segment& segment = segments_.front();
  if (segment.end - segment.first > config_.segment_sectors) segment.first = segment.end - config_.segment_sectors;
}

void ReadCache::forget(Sector first, Sector end) {
  std::erase_if(segments_, [&](const Segment& segment) { return segment.first < end && first < segment.end; });
}

}  // namespace ftlab
