// Free superblocks in the order in which they became free, and the number of superblocks that each pool may use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"

namespace ftlab {

// Which free superblock is opened: the first that became free, or the least or most worn one (among equals the first that
// became free), which costs a pass over the free superblocks.
enum class FreeOrder : std::uint8_t { fifo, least_worn, most_worn };

class FreeBlocks {
 public:
  // All superblocks are free. `quotas`: superblocks by pool. `owners`: the only pool that may take each superblock; empty if
  // every pool may take any. REQUIRES: with owners, each quota is the number of superblocks that the pool owns.
  FreeBlocks(std::uint32_t superblocks, const std::vector<std::uint32_t>& quotas, std::vector<std::uint8_t> owners)
      : ring_(superblocks), owners_(std::move(owners)) {
    FTLAB_CHECK(!quotas.empty() && quotas.size() <= 0xff, "superblocks of no pool, or of more than have numbers");
    for (const std::uint32_t quota : quotas) pools_.push_back({quota, 0});
    rebuild([](SuperblockId) { return true; });
  }

  std::uint32_t count() const { return count_; }
  // Free superblocks that `pool` may still take.
  std::uint32_t count(std::uint32_t pool) const {
    FTLAB_DCHECK(pool < pools_.size(), "pool " + std::to_string(pool) + " of " + std::to_string(pools_.size()));
    const Pool& p = pools_[pool];
    return p.used < p.quota ? std::min(count_, p.quota - p.used) : 0;
  }
  std::uint32_t quota(std::uint32_t pool) const { return pools_[pool].quota; }
  std::uint32_t pools() const { return static_cast<std::uint32_t>(pools_.size()); }
  std::uint32_t retired() const { return retired_; }  // superblocks that pools gave up
  bool may_take(std::uint32_t pool, SuperblockId block) const { return owners_.empty() || owners_[number(block)] == pool; }

  // Takes a free superblock into use by the pool. `wear`: by superblock. REQUIRES: count(pool) > 0.
  SuperblockId take(std::uint32_t pool, FreeOrder order, std::span<const std::uint32_t> wear);
  // Power-on: the pool uses one more superblock. REQUIRES: rebuild() after the last call.
  void claim(std::uint32_t pool) {
    FTLAB_CHECK(pool < pools_.size(), "pool " + std::to_string(pool) + " claims a superblock, but does not exist");
    ++pools_[pool].used;
  }
  // Returns a superblock of the pool to the end of the free list.
  void give_back(SuperblockId block, std::uint32_t pool) {
    FTLAB_DCHECK(pools_[pool].used > 0 && count_ < ring_.size(), "a superblock becomes free that is not in use");
    --pools_[pool].used;
    ring_[slot(count_++)] = block;
  }
  // The pool loses a superblock in use; its quota shrinks by one.
  void give_up(std::uint32_t pool) {
    FTLAB_CHECK(pools_[pool].used > 0, "pool " + std::to_string(pool) + " gives up a superblock, but uses none");
    --pools_[pool].used;
    FTLAB_CHECK(pools_[pool].quota > 0, "pool " + std::to_string(pool) + " has no superblock to give up");
    --pools_[pool].quota;
    ++retired_;
  }
  // Power-on: lists all superblocks for which is_free(SuperblockId) is true, in order.
  template <class IsFree>
  void rebuild(IsFree&& is_free) {
    first_ = count_ = 0;
    for (std::uint32_t b = 0; b < ring_.size(); ++b)
      if (is_free(SuperblockId{b})) ring_[count_++] = SuperblockId{b};
  }

  template <class A>
  void archive(A& archive) {
    archive.column(ring_);
    archive.value(first_);
    archive.value(count_);
    archive.value(retired_);
    archive.exact(pools_);
  }

 private:
  friend struct BrokenDrive;
  struct Pool {
    std::uint32_t quota, used;
  };
  std::uint32_t slot(std::uint32_t index) const {
    const std::uint32_t at = first_ + index, slots = static_cast<std::uint32_t>(ring_.size());
    return at < slots ? at : at - slots;
  }

  Column<SuperblockId> ring_;
  std::vector<std::uint8_t> owners_;  // by superblock; empty: none
  std::uint32_t first_ = 0, count_ = 0, retired_ = 0;
  std::vector<Pool> pools_;
};

}  // namespace ftlab
