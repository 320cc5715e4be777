// Chooses the superblock that a frontier opens next, keeps a reserve for relocation, and detects the end of life: a pool
// gives up a superblock whose erase fails permanently, and the drive is worn out once a pool has fewer than it needs to make
// progress.
#pragma once

#include <cstdint>
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
  // `health`: null if the flash neither wears out nor fails. REQUIRES: blocks, medium and health outlive it.
  SuperblockSupply(const FtlConfig& config, std::uint32_t host_lpns, Blocks& blocks, Medium& medium, BadBlockTable* health);

  // True if the frontier's reclaim unit has a superblock left, or its pool has a free one.
  bool can_open(const Frontier& frontier) const {
    return set_aside(frontier) > 0 || blocks_.free().count(frontier.plan().pool) > 0;
  }
  // Superblocks left in the frontier's reclaim unit.
  std::uint32_t set_aside(const Frontier& frontier) const {
    return static_cast<std::uint32_t>(set_aside_[frontier.number()].size());
  }
  // Opens the next superblock for the frontier. `host_pages`: appended so far. A new reclaim unit is smaller than configured
  // if fewer superblocks are free. REQUIRES: can_open().
  SuperblockId open(const Frontier& frontier, bool pslc, std::uint64_t host_pages);
  // Reclaim units that were opened for placement handles, since power-on.
  std::uint64_t units_opened() const { return units_opened_; }
  // Superblocks of the pool that only relocation may take: a reclaim unit for each frontier that takes relocated pages.
  std::uint32_t reserve(std::uint32_t pool) const {
    FTLAB_DCHECK(pool < reserve_.size(), "pool " + std::to_string(pool) + " of " + std::to_string(reserve_.size()));
    return reserve_[pool];
  }

  const BadBlockTable* health() const { return health_; }
  bool programs_fail() const { return health_ != nullptr && health_->programs_fail(); }  // ever
  // End of life: a pool has fewer superblocks than it needs, or data in RAM find no superblock. Nothing is moved from then
  // on; valid pages stay readable.
  bool worn_out() const { return worn_out_; }
  void wear_out() { worn_out_ = true; }
  // True if expected room may be missing: something has failed, or a power cut has torn pages or left superblocks partly
  // used.
  bool may_lack_room() const;
  void lose_room() { room_lost_ = true; }
  // Charges a retired superblock to its pool.
  void retire(SuperblockId block);
  // Power-on: takes retired superblocks out of use. REQUIRES: Blocks::rebuild_free_list() afterwards.
  void retire_at_start();

  template <class A>
  void archive(A& archive) {
    for (auto& list : set_aside_) archive.list(list, unit_superblocks_);
    archive.value(worn_out_);
    archive.value(room_lost_);
    if (identifiers_ > 0) archive.value(units_opened_);
  }

 private:
  FreeOrder order(const Frontier& frontier) const {
    if (!levels_cache_) return order_;
    const bool erased_often = frontier.plan().pool == kSlcPool || frontier.number() == translation_frontier_;
    return erased_often ? FreeOrder::least_worn : FreeOrder::most_worn;
  }
  void check_need(std::uint32_t pool) { worn_out_ |= blocks_.free().quota(pool) < needed_[pool]; }
  std::uint32_t richest_pool() const;

  Blocks& blocks_;
  Medium& medium_;
  BadBlockTable* health_;
  FreeOrder order_;
  // Levels wear between what is erased often, the pSLC cache and translation pages, and the rest: the former take the least
  // worn free superblock, the rest takes the most worn one, which then wears slowly.
  bool levels_cache_;
  std::uint32_t translation_frontier_;
  std::uint32_t unit_superblocks_;
  std::uint32_t identifiers_;  // placement identifiers, whose frontiers come first; 0: none
  std::uint64_t units_opened_ = 0;
  std::vector<std::uint32_t> reserve_;                // by pool
  std::vector<std::uint64_t> needed_;                 // by pool, if the flash wears out
  std::vector<std::vector<SuperblockId>> set_aside_;  // by frontier, in opening order
  bool worn_out_ = false;
  bool room_lost_ = false;  // by a power cut
};

}  // namespace ftlab
