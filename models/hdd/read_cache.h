// A disk's cache of data read: a few segments in RAM, each a run of sectors, replaced in LRU order. A segment that outgrows
// its size loses its oldest sectors.
#pragma once

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
  bool holds(Sector first, Sector end);
  bool has(Sector first, Sector end) const;  // like holds(), without marking
  // Adds sectors that were read to the segment that they continue, or else to a new one.
  void add(Sector first, Sector end);
  // Drops segments that overlap a write.
  void forget(Sector first, Sector end);
  void lose() { segments_.clear(); }  // power cut
  const ReadCacheConfig& config() const { return config_; }

 private:
  struct Segment {
    Sector first, end;
  };
  void to_front(std::size_t index);

  ReadCacheConfig config_;
  std::vector<Segment> segments_;  // most recently used first
};

}  // namespace ftlab
