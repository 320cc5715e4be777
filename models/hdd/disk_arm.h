// The arm at work: the mechanism, when it is free, where the head reads on, and the read cache that this fills.
#pragma once

#include "models/hdd/mechanism.h"
#include "models/hdd/read_cache.h"

namespace ftlab {

class DiskArm {
 public:
  DiskArm(const Mechanism& mechanism, const ReadCacheConfig& read_cache) : mechanism_(mechanism), read_cache_(read_cache) {}

  const Mechanism& mechanism() const { return mechanism_; }
  Nanoseconds free_at() const { return free_at_; }

  // Seek and rotation as the firmware reckons them; nothing for what goes straight on where the last access ended.
  Nanoseconds cost(Sector first, const Place& place, bool write, Nanoseconds now, Nanoseconds margin) const;

  // Moves from `now` on and reads, then reads on behind it.
  Mechanism::Access read(Sector first, Sector end, Nanoseconds now);
  Mechanism::Access write(Sector first, Sector end, Nanoseconds now);

  struct Reading {
    Sector sectors = 0;  // that were not in the read cache
    Nanoseconds done{0};
  };
  // The head is reading the very next sector, or has just come to its end, and what it has passed is in the read cache.
  bool reads_towards(Sector first, Sector end, Nanoseconds now) const;
  // Goes on as far as `end`. REQUIRES: reads_towards.
  Reading read_on(Sector end);
  // What the head has read by `now`: the sectors that are new.
  Sector follow(Nanoseconds now);

  // Whether the read cache holds all of it. The head then reads on behind that, too.
  bool holds(Sector first, Sector end, Nanoseconds now);
  // What lies on the disk will change.
  void forget(Sector first, Sector end) { read_cache_.forget(first, end); }
  void power_cycle();

 private:
  // Where the head reads on.
  struct Stream {
    Sector next = 0;
    Nanoseconds from{0};
    Sector limit = 0;
    bool on = false;
  };
  Sector read_ahead_of(Sector end) const;
  void begin_stream(Sector first, Sector end);

  Mechanism mechanism_;
  ReadCache read_cache_;
  Stream stream_;
  Nanoseconds free_at_{0};
};

}  // namespace ftlab
