// Superblocks without valid pages that wait for their erase until the pages that replace theirs are programmed: all stages
// up to the newest one at that time. With placement handles, where an idle handle can leave its stage incomplete, a
// superblock waits only for stages that replace its pages; with pools, only for stages of its pool.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "ftl/blocks/frontier.h"
#include "ftl/blocks/placement.h"
#include "ftl/write/stage.h"

namespace ftlab {

class EraseQueue {
 public:
  // REQUIRES: all outlive it; `stages` is indexed by frontier number.
  EraseQueue(PlacementConfig::Scheme scheme, const Blocks& blocks, const std::vector<Frontier>& frontiers,
             const std::vector<Stage>& stages)
      : scheme_(scheme),
        blocks_(blocks),
        frontiers_(frontiers),
        stages_(stages),
        waiting_(blocks.free().pools()),
        replaced_(by_replaced() ? frontiers.size() : 0) {}

  bool empty() const { return pending_.empty(); }
  // Superblocks of a pool that will be free once they may be erased.
  std::uint32_t waiting(std::uint32_t pool) const { return waiting_[pool]; }
  // Frontier of the oldest stage that superblocks of the pool wait for; null if none.
  const Frontier* oldest_staged(std::uint32_t pool) const;

  // If true, the caller must call note_replaced() when the frontier's stage replaces a page of `block`.
  bool by_replaced() const { return scheme_ == PlacementConfig::Scheme::streams; }
  void note_replaced(const Frontier& frontier, SuperblockId block) {
    if (!replaces(frontier, block)) replaced_[frontier.number()].push_back(block);
  }
  // Call after the frontier's stage was programmed, if no slots wait behind it.
  void forget_replaced(const Frontier& frontier) {
    if (by_replaced()) replaced_[frontier.number()].clear();
  }
  // `may_fail`: its erase may.
  void add(SuperblockId block, std::uint64_t newest_stage, bool may_fail) {
    FTLAB_DCHECK(blocks_.state(block) == BlockState::pending_erase, "a superblock waits for its erase that is in use");
    pending_.push_back({number(block), may_fail, newest_stage});
    ++waiting_[pool_of(pending_.back())];
  }
  // True if the next erases may lose a superblock, and with it room.
  bool one_may_fail() const {
    return std::ranges::any_of(pending_, [](const Pending& one) { return one.may_fail != 0; });
  }
  // Calls erase(SuperblockId) for each superblock that no longer waits for a stage.
  template <class Erase>
  void erase_ready(Erase&& erase) {
    std::erase_if(pending_, [&](const Pending& one) {
      if (is_held_up(one)) return false;
      FTLAB_DCHECK(waiting_[pool_of(one)] > 0, "a superblock is erased that no pool waits for");
      --waiting_[pool_of(one)];
      erase(SuperblockId{one.block});
      return true;
    });
  }

  template <class A>
  void archive(A& archive) {
    archive.exact(waiting_);
    archive.list(pending_, blocks_.count());
    for (auto& list : replaced_) archive.list(list, 4 * std::uint64_t{blocks_.layout().pages_per_stripe()});
  }

 private:
  struct Pending {
    std::uint32_t block;  // number of a SuperblockId
    std::uint32_t may_fail;
    std::uint64_t stage;
  };
  std::uint32_t pool_of(const Pending& one) const { return blocks_.columns().pool[one.block]; }
  bool replaces(const Frontier& frontier, SuperblockId block) const {
    return std::ranges::count(replaced_[frontier.number()], block) > 0;
  }
  bool holds_up(const Frontier& frontier, const Pending& one) const;
  bool is_held_up(const Pending& one) const {
    return std::ranges::any_of(frontiers_, [&](const Frontier& frontier) { return holds_up(frontier, one); });
  }

  PlacementConfig::Scheme scheme_;
  const Blocks& blocks_;
  const std::vector<Frontier>& frontiers_;
  const std::vector<Stage>& stages_;
  std::vector<Pending> pending_;                     // few entries
  std::vector<std::uint32_t> waiting_;               // number of pending erases by pool
  std::vector<std::vector<SuperblockId>> replaced_;  // streams only, by frontier
};

}  // namespace ftlab
