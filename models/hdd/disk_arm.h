// The mechanism, the time at which it is free, its read-ahead, and the read cache filled by that.
#pragma once

#include "models/hdd/commands.h"
#include "models/hdd/disk_config.h"
#include "models/hdd/mechanism.h"
#include "models/hdd/read_cache.h"
#include "models/hdd/write_cache.h"

namespace ftlab {

class DiskArm {
 public:
  DiskArm(const Mechanism& mechanism, const ReadCacheConfig& read_cache) : mechanism_(mechanism), read_cache_(read_cache) {}

  const Mechanism& mechanism() const { return mechanism_; }
  Nanoseconds free_at() const { return free_at_; }

  // Seek and rotation as estimated by the firmware; 0 if the access continues exactly where the last one ended.
  Nanoseconds cost(Sector first, const Place& place, bool write, Nanoseconds now, Nanoseconds margin) const;

  // Moves from `now` on and reads; then reads ahead.
  Mechanism::Access read(Sector first, Sector end, Nanoseconds now);
  Mechanism::Access write(Sector first, Sector end, Nanoseconds now);

  struct Reading {
    Sector sectors = 0;  // not from the read cache
    Nanoseconds done{0};
  };
  // True if the head is reading ahead towards `end`, or stopped just now, and the read cache holds the part already passed.
  bool reads_towards(Sector first, Sector end, Nanoseconds now) const;
  // Continues reading up to `end`. REQUIRES: reads_towards.
  Reading read_on(Sector end);
  // Advances the read-ahead to `now`. Returns the number of sectors read.
  Sector follow(Nanoseconds now);

  // True if the read cache holds all of [first, end). Read-ahead then extends beyond `end`.
  bool holds(Sector first, Sector end, Nanoseconds now);
  // Call before the sectors are overwritten.
  void forget(Sector first, Sector end) { read_cache_.forget(first, end); }
  void power_cycle();

 private:
  // Read-ahead: next sector, start time, end sector.
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

// Chooses the arm's next work: a pending command or a piece of the write cache. Reads go first unless a command waits for
// the cache to be written; commands that have waited for too long precede everything.

// The work to choose from.
struct ArmWork {
  const DiskQueueConfig& config;
  const DiskArm& arm;
  const CommandTable& commands;
  const std::vector<CommandTable::Slot>& pending;
  const WriteBack& write_back;
  Nanoseconds writing_from;  // earliest time to write from the cache
};

struct ArmChoice {
  bool from_cache = false;
  std::size_t index = 0;  // in `pending`, or in the write cache's pieces
};

// True if the head is already reading towards the command's sectors.
bool continues_stream(const DiskArm& arm, const DiskCommand& command, Nanoseconds now);
// REQUIRES: something is ready at `now`.
ArmChoice choose(const ArmWork& work, Nanoseconds now);

}  // namespace ftlab
