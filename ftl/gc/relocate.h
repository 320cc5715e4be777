// Garbage collection in one pool of superblocks: takes the victims that the policy chooses, moves their valid pages to the
// frontiers that placement chooses, and reclaims them. Runs in bounded steps with host writes, in idle time, or at once if a
// host write needs the room.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ftl/blocks/placement.h"
#include "ftl/gc/destinations.h"
#include "ftl/gc/even_pace.h"
#include "ftl/gc/page_mover.h"
#include "ftl/gc/pslc_mode.h"
#include "ftl/gc/victim.h"
#include "ftl/gc/victim_choice.h"
#include "ftl/write/page_store.h"

namespace ftlab {

class Relocation {
 public:
  // Components that it uses. REQUIRES: all outlive it.
  struct Parts {
    PageStore& store;
    PageReader& reader;
    Refresh& refresh;
    WorkList& work;
    Placement& placement;
  };
  Relocation(const FtlConfig& config, std::uint32_t pool, const Parts& parts, RandomStream random);
  Relocation(const Relocation&) = delete;  // its members refer to each other
  Relocation& operator=(const Relocation&) = delete;

  // pSLC: pages of this pool are folded into the pool of `other`, which makes the room.
  void fold_into(Relocation& other) { destinations_.fold_into(other); }

  // From now on appends the LPN of each moved page to `log`.
  void record_moves(std::vector<Lpn>* log) { mover_.record_moves(log); }

  // Call for each mapping page that the host writes. During collection, moves the configured number of pages, or with even
  // pace those that are due, in whole stripes.
  void step() {
    if (at_work() && config_.pages_per_host_write > 0) config_.even_pace ? relocate_due() : relocate_some();
  }

  // Makes room for one host page of `slots` slots at `frontier`: opens a superblock if it is full. While only the reserve is
  // left, first collects victims completely. False if no room can be made (only after superblocks were retired), or if more
  // than `most` superblocks would have to be opened or collected. With fewer superblocks than superblocks_needed() it may
  // gain nothing; a check detects that after a bounded number of victims.
  bool make_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most = ~std::uint64_t{0}) {
    return host_may_write(frontier, slots) || gain_room(frontier, slots, most);
  }

  // Pages of one slot each that `frontier` takes before make_room(), or for those of the host step(), has anything to do.
  std::uint32_t pages_that_fit(const Frontier& frontier) const;
  std::uint32_t pages_without_work(const Frontier& frontier) const {
    return at_work() && config_.pages_per_host_write > 0 ? 0 : pages_that_fit(frontier);
  }

  // Call before the host's `frontier` is padded: if host and GC share it, padding must not take the room that the victim's
  // remaining pages need.
  void prepare_padding(const Frontier& frontier);

  // Result of a step. worked = false: nothing is left to do. `pages`: number moved (0 if a victim ended).
  struct Step {
    bool worked;
    std::uint32_t pages;
  };
  // The host is idle: moves one stripe while too few superblocks are free.
  Step idle_step();

  // If superblocks wait for refresh: relocates up to `pages` pages, while more superblocks than the reserve are free.
  void refresh_some(std::uint32_t pages);
  // Like idle_step(), for all superblocks that wait for refresh.
  Step refresh_step();

  const RelocationCounts& counts() const { return mover_.counts(); }
  std::uint64_t collected() const { return collected_; }

  template <class A>
  void archive(A& archive) {
    archive.section("relocation");
    random_.archive(archive);
    archive.value(active_);
    archive.value(folding_first_);
    destinations_.archive(archive);
    mover_.archive(archive);
    choice_.archive(archive);
    archive.value(collected_);
    victim_.archive(archive);
    if (config_.even_pace) pace_.archive(archive);
  }

 private:
  bool at_work() const { return active_ || folding_first_; }
  std::uint32_t free_now() const { return store_.blocks().free().count(pool_); }
  std::uint32_t free_or_pending_erase() const { return free_now() + store_.erases().waiting(pool_); }
  std::uint32_t reserve() const { return store_.supply().reserve(pool_); }
  bool host_may_write(const Frontier& frontier, std::uint32_t slots) const;
  bool gain_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most);
  bool make_some_room(const Frontier& frontier, std::uint32_t slots);
  bool has_spare_unit() const;
  bool free_waiting();
  bool room_for_victim() const;
  // Slots for relocated pages in `free` free superblocks and at the frontiers.
  std::uint64_t writable_slots(std::uint32_t free) const;
  // Slots that can be written without collection.
  std::uint64_t room() const;
  void watch_free_space();
  bool choose_victim();
  bool begin_folding();
  bool begin_refresh();
  void begin(SuperblockId victim, RelocationCause cause);
  void relocate_some();
  void relocate_due();
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
  bool folding_first_ = false;  // pSLC superblocks are folded before others are collected
  std::uint64_t collected_ = 0;
  EvenPace pace_;
};

// While the reserve is in use, the remaining room belongs to a victim: the one in progress if it shares the host's frontier,
// or the one that a power cut interrupted if none is in progress.
inline bool Relocation::host_may_write(const Frontier& frontier, std::uint32_t slots) const {
  if (frontier.room() < slots) return false;
  if (free_or_pending_erase() >= reserve()) return true;
  if (!victim_.exists()) return false;
  return !frontier.plan().relocation || frontier.room() >= store_.blocks().valid(victim_.block()) + slots;
}

// A victim that loses pages meanwhile only leaves more room.
inline std::uint32_t Relocation::pages_that_fit(const Frontier& frontier) const {
  if (free_or_pending_erase() >= reserve()) return frontier.room();
  if (!victim_.exists()) return 0;
  const std::uint32_t kept = frontier.plan().relocation ? store_.blocks().valid(victim_.block()) : 0;
  return frontier.room() - std::min(frontier.room(), kept);
}

}  // namespace ftlab
