// What a disk still has in RAM of what it read: a few segments, each one run of sectors, the least recently used replaced.
// A segment that grows beyond its size loses its oldest sectors.
#pragma once

#include <cstdint>
#include <vector>

#include "models/hdd/platters.h"

namespace ftlab {

struct ReadCacheConfig {
  std::uint32_t segments = 0;  // 0: nothing is kept
  Sector segment_sectors = 0;
  Sector read_ahead_sectors = 0;  // the head reads on so far behind a read while nothing else is asked for
};

class ReadCache {
 public:
  explicit ReadCache(const ReadCacheConfig& config) : config_(config) {}

  // Whether all of it is there; makes it the most recently used.
  bool holds(Sector first, Sector end);
  bool has(Sector first, Sector end) const;  // the same, without using it
  // Takes in what was read; joins the segment that it continues.
  void add(Sector first, Sector end);
  // What lies on the disk has changed.
  void forget(Sector first, Sector end);
  void lose() { segments_.clear(); }  // power is cut
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
