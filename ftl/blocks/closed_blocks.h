// Closed superblocks of every pool: all in order of closing, and the oldest also in bins by number of valid pages.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/blocks/bins.h"

namespace ftlab {

class ClosedBlocks {
 public:
  // `window`: only this many of the oldest closed superblocks of a pool are in its bins; 0: all.
  ClosedBlocks(const Layout& layout, Bins::Keeping keeping, std::uint32_t window, std::size_t pools);

  // Adds the superblock as the youngest of the pool. `valid`: valid pages by superblock.
  void add(SuperblockId block, std::uint32_t pool, const Column<std::uint32_t>& valid);
  void remove(SuperblockId block, std::uint32_t pool, const Column<std::uint32_t>& valid);
  // Call when a superblock in any state has lost pages.
  void lower(SuperblockId block, std::uint32_t pool, std::uint32_t before, std::uint32_t after) {
    if (binned(block)) pools_[pool].bins.lower(block, before, after);
  }

  std::uint32_t count(std::uint32_t pool) const { return pools_[pool].count; }
  // List in order of closing; kNoBlock at its end.
  SuperblockId oldest(std::uint32_t pool) const { return pools_[pool].oldest; }
  SuperblockId youngest(std::uint32_t pool) const { return pools_[pool].youngest; }
  SuperblockId next_younger(SuperblockId block) const { return younger_[number(block)]; }
  SuperblockId next_older(SuperblockId block) const { return older_[number(block)]; }
  // Bins by number of valid pages (of the superblocks in the window, if there is one).
  const Bins& bins(std::uint32_t pool) const { return pools_[pool].bins; }
  bool binned(SuperblockId block) const { return binned_[number(block)] != 0; }
  std::uint32_t in_window(std::uint32_t pool) const { return pools_[pool].in_window; }  // superblocks in its bins
  SuperblockId oldest_outside_window(std::uint32_t pool) const {
    return pools_[pool].oldest_outside_window;
  }  // the oldest one not in bins

  template <class A>
  void archive(A& archive) {
    archive.column(binned_);
    archive.column(older_);
    archive.column(younger_);
    for (Pool& pool : pools_) {
      archive.value(pool.count);
      archive.value(pool.in_window);
      for (auto* block : {&pool.oldest, &pool.youngest, &pool.oldest_outside_window}) archive.value(*block);
      pool.bins.archive(archive);
    }
  }

 private:
  friend struct BrokenDrive;
  struct Pool {
    std::uint32_t count = 0;
    std::uint32_t in_window = 0;
    SuperblockId oldest = kNoBlock, youngest = kNoBlock;
    SuperblockId oldest_outside_window = kNoBlock;
    Bins bins;
  };
  void fill_window(Pool& pool, const Column<std::uint32_t>& valid);

  std::uint32_t window_;
  Column<std::uint8_t> binned_;
  Column<SuperblockId> older_, younger_;  // neighbours in order of closing
  std::vector<Pool> pools_;
};

}  // namespace ftlab
