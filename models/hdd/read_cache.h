// A disk's cache of data read: a few segments in RAM, each a run of sectors, replaced in LRU order. A segment that outgrows
// its size loses its oldest sectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/hdd/platters.h"

namespace ftlab {

struct ReadCacheConfig {
  std::uint32_t segments = 0;  // 0: no cache
  Sector segment_sectors = 0;
  Sector read_ahead_sectors = 0;  // sectors the idle head reads ahead after a read
};

class ReadCache {
 public:
  explicit ReadCache(const ReadCacheConfig& config) : config_(config) {}

  // True if a segment holds all of it; marks the segment as most recently used.
  bool holds(Sector first, Sector end) {
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      if (first < segments_[i].first || end > segments_[i].end) continue;
      to_front(i);
      return true;
    }
    return false;
  }

  // like holds(), without marking
  bool has(Sector first, Sector end) const {
    return std::any_of(segments_.begin(), segments_.end(),
                       [&](const Segment& segment) { return segment.first <= first && end <= segment.end; });
  }

  // Adds sectors that were read to the segment that they continue, or else to a new one.
  void add(Sector first, Sector end) {
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

  // Drops segments that overlap a write.
  void forget(Sector first, Sector end) {
    std::erase_if(segments_, [&](const Segment& segment) { return segment.first < end && first < segment.end; });
  }

  void lose() { segments_.clear(); }  // power cut
  const ReadCacheConfig& config() const { return config_; }

 private:
  struct Segment {
    Sector first, end;
  };
  void to_front(std::size_t index) {
    std::rotate(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(index),
                segments_.begin() + static_cast<std::ptrdiff_t>(index) + 1);
  }

  ReadCacheConfig config_;
  std::vector<Segment> segments_;  // most recently used first
};

}  // namespace ftlab
