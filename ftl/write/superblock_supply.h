// Which superblock a frontier opens next, how many relocation keeps in reserve, and whether there are enough of them: a
// superblock whose erase fails for good is given up by its pool, and a pool with fewer than it needs to make progress is the
// end of the drive.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/blocks/blocks.h"
#include "ftl/blocks/frontier.h"
#include "ftl/config.h"
#include "models/nand/array/medium.h"

namespace ftlab {

class SuperblockSupply {
 public:
  // `health`: null where the flash neither wears out nor fails. REQUIRES: blocks, medium and health outlive it.
  SuperblockSupply(const FtlConfig& config, std::uint32_t host_lpns, Blocks& blocks, Medium& medium, BadBlockTable* health);

  // The frontier's reclaim unit has a superblock left, or its pool has a free one.
  bool can_open(const Frontier& frontier) const {
    return set_aside(frontier) > 0 || blocks_.free().count(frontier.plan().pool) > 0;
  }
  // Superblocks of its reclaim unit that the frontier will open next.
  std::uint32_t set_aside(const Frontier& frontier) const {
    return static_cast<std::uint32_t>(set_aside_[frontier.number()].size());
  }
  // The next one for the frontier, when so many host pages were appended. A new reclaim unit is smaller than configured when
  // fewer superblocks are free. REQUIRES: can_open().
  SuperblockId open(const Frontier& frontier, bool pslc, std::uint64_t host_pages);
  // Superblocks of the pool that only relocation may take: a reclaim unit for each frontier that takes relocated pages.
  std::uint32_t reserve(std::uint32_t pool) const {
    FTLAB_DCHECK(pool < reserve_.size(), "pool " + std::to_string(pool) + " of " + std::to_string(reserve_.size()));
    return reserve_[pool];
  }

  const BadBlockTable* health() const { return health_; }
  // A pool has fewer superblocks than it needs, or data in RAM find no superblock that takes them: nothing is to be moved
  // any more. What is current stays readable.
  bool worn_out() const { return worn_out_; }
  void wear_out() { worn_out_ = true; }
  // Something has failed so far, or a power cut has torn pages or left superblocks partly used: room that was counted on may
  // be missing.
  bool may_lack_room() const;
  void lose_room() { room_lost_ = true; }
  // The superblock was retired.
  void retire(SuperblockId block);
  // Power-on: takes those out that are retired. REQUIRES: Blocks::rebuild_free_list() behind it.
  void retire_at_start();

  template <class A>
  void archive(A& archive) {
    for (auto& list : set_aside_) archive.list(list, unit_superblocks_);
    archive.value(worn_out_);
    archive.value(room_lost_);
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<SuperblockSupply>> rules();
  FreeOrder order(std::uint32_t pool) const {
    if (!levels_cache_) return order_;
    return pool == kSlcPool ? FreeOrder::least_worn : FreeOrder::most_worn;
  }
  void check_need(std::uint32_t pool) { worn_out_ |= blocks_.free().quota(pool) < needed_[pool]; }
  std::uint32_t richest_pool() const;

  Blocks& blocks_;
  Medium& medium_;
  BadBlockTable* health_;
  FreeOrder order_;
  // Between a pSLC cache and the rest wear is levelled: erases of the cache are many, so it takes the least worn free
  // superblock, and the others the most worn one, which rests there.
  bool levels_cache_;
  std::uint32_t unit_superblocks_;
  std::vector<std::uint32_t> reserve_;                // by pool
  std::vector<std::uint64_t> needed_;                 // by pool, where the flash wears out
  std::vector<std::vector<SuperblockId>> set_aside_;  // by frontier, in this order
  bool worn_out_ = false;
  bool room_lost_ = false;  // by a power cut
};

}  // namespace ftlab
