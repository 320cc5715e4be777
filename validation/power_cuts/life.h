// One life of one drive with power cuts in it. Drive, host and cuts are drawn from one number. After each cut:
//
//   recovery        runs, is itself cut up to three times, and finds the same state in one more run on the idle drive
//   every page      holds its durable content, or one of the later writes and trims
//   inspect()       finds no errors, then and after 100 to 1,000 more requests, whose reads are all compared
//
// Durable is, with power-loss protection, everything submitted (the drive's energy completes operations in flight); without,
// what was submitted before a completed flush or write through the cache; and the contents after the previous cut.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/plan.h"

namespace ftlab::power_cuts {

// Where a cut is placed.
enum class Window : std::uint8_t {
  index,         // during one of the operations that are in flight or queued
  time,          // at a random time
  first_stripe,  // first stripe of a superblock: the frontier has just switched
  last_stripe,   // last stripe of a superblock
  erase,         // between copy and erase, or during the erase
  collection,    // during programs of relocated pages
  suspended,     // during a program or an erase that a host read has suspended
  reserve,       // when only the reserve is free
  trim,          // when there are trims that no flush covers
  recovery,      // during the flash operations of the last recovery
};
inline constexpr std::size_t kWindows = 10;
inline constexpr std::array<const char*, kWindows> kWindowNames = {"by index", "by time",    "first stripe", "last stripe",
                                                                   "erase",    "collection", "suspended",    "reserve",
                                                                   "trim",     "in recovery"};

// Errors that are planted in the shadow, so that a correct drive seems wrong, to test the test.
enum class Deceit : std::uint8_t { none, flushes_are_not_sent, trims_are_not_sent };

struct LifeAsked {
  std::uint64_t seed = 1;
  std::uint32_t cuts = 12;  // during host requests; cuts in recovery are additional
  Deceit deceit = Deceit::none;
  bool verbose = false;
};

struct LifeOutcome {
  std::uint64_t cuts = 0;           // total
  std::uint64_t nested = 0;         // before the host was served again
  std::uint64_t amid_recovery = 0;  // nested cuts with operations of recovery in flight
  std::uint64_t lost = 0, resurrected = 0, failed_starts = 0, out_of_room = 0, wrong = 0;
  std::uint64_t requests = 0, pages_compared = 0;
  std::uint64_t torn_slots = 0, destroyed_lower_slots = 0, half_erased = 0, lost_trims = 0, undone_slots = 0;
  std::array<std::uint64_t, kWindows> windows{};
  // Cuts of drives without power-loss protection, by the state of their flash operations. Suspended: by a host read.
  std::uint64_t with_running = 0, with_waiting = 0, with_suspended = 0;
  std::vector<std::uint64_t> by_scheduling_policy;
  std::string failure;  // the error, or how the drive ran out of room; empty: neither

  bool sound() const { return lost + resurrected + failed_starts + wrong == 0; }
  void add(const LifeOutcome& other);
};

// The drive and the host of a life.
soak::SwarmPlan drawn_life(std::uint64_t seed);

// Never throws: an exception from the drive is a failure.
LifeOutcome live(const LifeAsked& asked);

}  // namespace ftlab::power_cuts
