// Decides when superblocks of a pool are written as pSLC (one bit a cell), how many may be, and which is folded next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ftl/write/page_store.h"

namespace ftlab {

// Slots of a superblock that are sure to hold data; the rest may stay unused at its end because the next page does not fit.
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
  // True if superblocks for host writes are opened as pSLC now. `free_or_pending_erase`: superblocks free or pending erase.
  // REQUIRES: GC is inactive, since a pSLC superblock takes twice as much free space.
  bool on(std::uint32_t free_or_pending_erase) const;
  // The same while GC is active: only of a cache that may take all flash, while pSLC superblocks are left to fold.
  bool on_while_collecting() const;
  // True if a pSLC superblock should be folded now. `collecting`: the pool is short of superblocks.
  bool should_fold(std::uint32_t free_or_pending_erase, bool collecting) const {
    return config_.on() && (config_.folds_late ? collecting : !on(free_or_pending_erase)) && oldest() != kNoBlock;
  }
  // The oldest closed pSLC superblock, or kNoBlock.
  SuperblockId oldest() const;
  // Free superblocks at which idle-time GC stops: `goal`, or more if the pSLC cache may take more.
  std::uint64_t idle_goal(std::uint64_t goal) const {
    return config_.free_space_permille == 0 ? goal : std::max(goal, stop_free_ + most());
  }

 private:
  bool too_full() const;  // for pSLC, by the mapped share of the user space
  std::uint64_t most() const;
  std::uint64_t count() const;

  PslcModeConfig config_;
  std::uint64_t stop_free_;
  std::uint32_t pool_;
  const PageStore& store_;
};

}  // namespace ftlab
