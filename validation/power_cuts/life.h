// One life of one drive with power cuts in it. Drive, host and cuts are drawn from one number. After each cut:
//
//   recovery        is carried out, itself cut up to three times, and once more at rest, which finds the same state again
//   every page      holds what was durable, or one of the writes and trims since: never a third thing
//   inspect()       finds nothing, then and after 100 to 1,000 more requests, whose reads are all compared
//
// Durable is, with power-loss protection, what was submitted (the drive's energy ends what is under way); without, what a
// completed flush or write through the cache was submitted after. What was there after a cut is durable for the next one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/plan.h"

namespace ftlab::power_cuts {

// Where a cut was placed.
enum class Window : std::uint8_t {
  index,         // amid one of the operations that are under way or wait
  time,          // at a random moment
  first_stripe,  // of a superblock: the frontier has switched
  last_stripe,   // of a superblock
  erase,         // between copy and erase, or amid it
  collection,    // amid programs of relocated pages
  suspended,     // amid a program or an erase that a read of the host has stopped
  reserve,       // no more than the reserve is free
  trim,          // trims that no flush covers
  recovery,      // amid the flash's work for the last recovery
};
inline constexpr std::size_t kWindows = 10;
inline constexpr std::array<const char*, kWindows> kWindowNames = {"by index", "by time",    "first stripe", "last stripe",
                                                                   "erase",    "collection", "suspended",    "reserve",
                                                                   "trim",     "in recovery"};

// Something that the shadow is told wrongly, so that a sound drive seems to be wrong: a test of the test.
enum class Deceit : std::uint8_t { none, flushes_are_not_sent, trims_are_not_sent };

struct LifeAsked {
  std::uint64_t seed = 1;
  std::uint32_t cuts = 12;  // of the host's work; those in recovery come with them
  Deceit deceit = Deceit::none;
  bool verbose = false;
};

struct LifeOutcome {
  std::uint64_t cuts = 0;           // all of them
  std::uint64_t nested = 0;         // before the host was served again
  std::uint64_t amid_recovery = 0;  // of the nested ones: with operations of recovery under way
  std::uint64_t lost = 0, resurrected = 0, failed_starts = 0, out_of_room = 0, wrong = 0;
  std::uint64_t requests = 0, pages_compared = 0;
  std::uint64_t torn_slots = 0, destroyed_lower_slots = 0, half_erased = 0, lost_trims = 0, undone_slots = 0;
  std::array<std::uint64_t, kWindows> windows{};
  // Of drives without power-loss protection, by what their flash was at. Suspended: a read of the host had stopped it.
  std::uint64_t with_running = 0, with_waiting = 0, with_suspended = 0;
  std::vector<std::uint64_t> by_scheduling_policy;
  std::string failure;  // the first one, in words; a drive that ran out of room, too

  bool sound() const { return lost + resurrected + failed_starts + wrong == 0; }
  void add(const LifeOutcome& other);
};

// The drive and the host of a life.
soak::SwarmPlan drawn_life(std::uint64_t seed);

// Never throws: what the drive throws is a failure.
LifeOutcome live(const LifeAsked& asked);

}  // namespace ftlab::power_cuts
