// Free superblocks in the order in which they became free, and how many of all superblocks each pool may have in use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/rule.h"

namespace ftlab {

// The free superblock that is opened: the one that became free first, or by its wear (of equals the one that became free
// first), which costs a pass over the free superblocks.
enum class FreeOrder : std::uint8_t { fifo, least_worn, most_worn };

class FreeBlocks {
 public:
  // All are free. `quotas`: superblocks, by pool.
  FreeBlocks(std::uint32_t superblocks, const std::vector<std::uint32_t>& quotas) : ring_(superblocks) {
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

  // For the pool, which uses it from now on. `wear`: by superblock. REQUIRES: count(pool) > 0.
  SuperblockId take(std::uint32_t pool, FreeOrder order, std::span<const std::uint32_t> wear);
  // Power-on: the pool uses one more. REQUIRES: rebuild() after the last.
  void claim(std::uint32_t pool) { ++pools_[pool].used; }
  // It is used by the pool no longer, and the last free one now.
  void give_back(SuperblockId block, std::uint32_t pool) {
    FTLAB_DCHECK(pools_[pool].used > 0 && count_ < ring_.size(), "a superblock becomes free that is not in use");
    --pools_[pool].used;
    ring_[slot(count_++)] = block;
  }
  // It is used no longer, and the pool may use one less from now on.
  void give_up(std::uint32_t pool) {
    --pools_[pool].used;
    FTLAB_CHECK(pools_[pool].quota > 0, "pool " + std::to_string(pool) + " has no superblock to give up");
    --pools_[pool].quota;
    ++retired_;
  }
  // Power-on: those of which is_free(SuperblockId) holds, in order.
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
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<FreeBlocks>> rules();
  struct Pool {
    std::uint32_t quota, used;
  };
  std::uint32_t slot(std::uint32_t index) const {
    const std::uint32_t at = first_ + index, slots = static_cast<std::uint32_t>(ring_.size());
    return at < slots ? at : at - slots;
  }

  Column<SuperblockId> ring_;
  std::uint32_t first_ = 0, count_ = 0, retired_ = 0;
  std::vector<Pool> pools_;
};

}  // namespace ftlab
