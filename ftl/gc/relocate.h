// Garbage collection in one pool of superblocks: takes those that the policy chooses, moves their current pages behind the
// frontiers that placement says and reclaims them; in bounded steps beside the host's writes, in idle time, or at once when
// the last free superblock is needed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ftl/blocks/placement.h"
#include "ftl/gc/destinations.h"
#include "ftl/gc/page_mover.h"
#include "ftl/gc/pslc_mode.h"
#include "ftl/gc/victim.h"
#include "ftl/gc/victim_choice.h"
#include "ftl/write/page_store.h"

namespace ftlab {

class Relocation {
 public:
  // What it works with. REQUIRES: all outlive it.
  struct Parts {
    PageStore& store;
    PageReader& reader;
    Refresh& refresh;
    WorkList& work;
    Placement& placement;
  };
  Relocation(const FtlConfig& config, std::uint32_t pool, const Parts& parts, RandomStream random);
  Relocation(const Relocation&) = delete;  // its parts know one another
  Relocation& operator=(const Relocation&) = delete;

  // pSLC: pages of this pool are folded into another one, whose collection makes the room.
  void fold_into(Relocation& other) { destinations_.fold_into(other); }

  // Appends the logical page of everything that is moved to `log` from now on.
  void record_moves(std::vector<Lpn>* log) { mover_.record_moves(log); }

  // While collecting, called with every mapping page that the host writes: moves the configured number of pages, whole
  // stripes at a time.
  void step() {
    if (at_work() && config_.pages_per_host_write > 0) relocate_some();
  }

  // Makes sure that the host may put one page of `slots` slots behind `frontier`: opens a superblock when it is full; while
  // only the reserve is left, first collects to the end of victims. False: there is no room to be had (only when superblocks
  // have been retired), or more than `most` superblocks would have to be opened or collected for it. With fewer superblocks
  // than superblocks_needed() it may gain nothing, which a check finds after a bounded number of victims.
  bool make_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most = ~std::uint64_t{0}) {
    return host_may_write(frontier, slots) || gain_room(frontier, slots, most);
  }

  // To be called before `frontier` of the host is filled up with padding: with one frontier for both, the padding must not
  // take the room that the victim's remaining pages need.
  void prepare_padding(const Frontier& frontier);

  // What came of a step: nothing is left to be done, or so many pages were moved (none when a victim ended).
  struct Step {
    bool worked;
    std::uint32_t pages;
  };
  // The host is silent: moves one stripe, while not enough superblocks are free.
  Step idle_step();

  // A superblock waits for refresh: relocates up to `pages` pages, while more than the reserve is free.
  void refresh_some(std::uint32_t pages);
  // The same in the host's silence, for all that wait, as idle_step().
  Step refresh_step();

  const RelocationCounts& counts() const { return mover_.counts(); }
  std::uint64_t collected() const { return collected_; }

  template <class A>
  void archive(A& archive) {
    archive.section("relocation");
    random_.archive(archive);
    archive.value(active_);
    archive.value(reorganising_);
    destinations_.archive(archive);
    mover_.archive(archive);
    choice_.archive(archive);
    archive.value(collected_);
    victim_.archive(archive);
  }

 private:
  friend struct LoadedStates;
  bool at_work() const { return active_ || reorganising_; }
  std::uint32_t free_now() const { return store_.blocks().free().count(pool_); }
  std::uint32_t free_soon() const { return free_now() + store_.erases().waiting(pool_); }
  std::uint32_t reserve() const { return store_.supply().reserve(pool_); }
  bool host_may_write(const Frontier& frontier, std::uint32_t slots) const;
  bool gain_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most);
  bool make_some_room(const Frontier& frontier, std::uint32_t slots);
  bool has_spare_unit() const;
  bool free_waiting();
  bool room_for_victim() const;
  // For relocated pages, in so many free superblocks and behind the frontiers.
  std::uint64_t writable_slots(std::uint32_t free) const;
  void watch_free_space();
  bool choose_victim();
  bool begin_folding();
  bool begin_refresh();
  void begin(SuperblockId victim, RelocationCause cause);
  void relocate_some();
  bool end_victim();
  std::uint32_t advance(std::uint32_t most);
  void finish_victim();

  GcConfig config_;
  std::uint32_t pool_;
  PageStore& store_;
  Refresh& refresh_;
  Placement& placement_;
  RandomStream random_;
  PslcMode pslc_;
  VictimChoice choice_;
  Victim victim_;
  Destinations destinations_;
  PageMover mover_;
  bool active_ = false;
  bool reorganising_ = false;  // pSLC superblocks are folded before others are collected
  std::uint64_t collected_ = 0;
};

// While the reserve is in use, the room that is left belongs to a victim: to the one in progress when both write behind
// one frontier, to the one that a power cut interrupted when none is.
inline bool Relocation::host_may_write(const Frontier& frontier, std::uint32_t slots) const {
  if (frontier.room() < slots) return false;
  if (free_soon() >= reserve()) return true;
  if (!victim_.exists()) return false;
  return !frontier.plan().relocation || frontier.room() >= store_.blocks().valid(victim_.block()) + slots;
}

}  // namespace ftlab
