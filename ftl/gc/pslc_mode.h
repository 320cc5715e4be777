// When superblocks of a pool are written with one bit a cell, how many may be, and which is folded next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ftl/write/page_store.h"

namespace ftlab {

// So many slots of a superblock are sure to hold data; the others may be left at its end because no page fits in.
inline std::uint32_t guaranteed_slots(const PageStore& store) {
  return store.medium().layout().data_pages() - (store.pages().largest_page() - 1);
}

class PslcMode {
 public:
  // REQUIRES: the store outlives it.
  PslcMode(const FtlConfig& config, std::uint32_t pool, const PageStore& store)
      : config_(config.pslc_mode), stop_free_(config.gc.stop_free), pool_(pool), store_(store) {
    if (config.is_slc_pool(pool)) config_.folds_late = config.slc.folds_late;
  }

  bool folds_late() const { return config_.folds_late; }
  // Whether the host's superblocks are, while so many superblocks are free or wait for their erase; whoever opens one also
  // asks that collection is at rest, since pSLC superblocks take twice as much free space.
  bool on(std::uint32_t free_soon) const;
  // pSLC superblocks should be folded now, and there is one. `collecting`: the pool is short of superblocks.
  bool should_fold(std::uint32_t free_soon, bool collecting) const {
    return config_.on() && (config_.folds_late ? collecting : !on(free_soon)) && oldest() != kNoBlock;
  }
  // The oldest closed pSLC superblock, or kNoBlock.
  SuperblockId oldest() const;
  // Superblocks that collection in idle time frees: `goal`, or as many as the cache may take.
  std::uint64_t idle_goal(std::uint64_t goal) const {
    return config_.free_space_permille == 0 ? goal : std::max(goal, stop_free_ + most());
  }

 private:
  std::uint64_t most() const;
  std::uint64_t count() const;

  PslcModeConfig config_;
  std::uint64_t stop_free_;
  std::uint32_t pool_;
  const PageStore& store_;
};

}  // namespace ftlab
