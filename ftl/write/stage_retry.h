// Moves stages whose program fails. The whole stripe is spoiled, but the data are still in RAM. The superblock is closed and
// the data begin the next free one; if none is free, they go to the next stripe of the same superblock. Without room there
// they stay in RAM, and the drive is at its end of life. The stage keeps its number, so nothing that its pages replace is
// erased.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ftl/write/page_table.h"
#include "ftl/write/store_counts.h"
#include "ftl/write/stripe_writer.h"
#include "ftl/write/superblock_supply.h"

namespace ftlab {

class StageRetry {
 public:
  // Components that it uses. REQUIRES: all outlive it.
  struct Parts {
    Medium& medium;
    Blocks& blocks;
    PageTable& pages;
    SuperblockSupply& supply;
    StripeWriter& writer;
    StoreCounts& counts;
  };
  explicit StageRetry(const Parts& parts) : parts_(parts), layout_(parts.medium.layout()) {}

  // Moves the stage as long as its program fails. False if no room is left in the flash.
  bool find_place(Frontier& frontier, Stage& stage);

 private:
  // One slot that is staged again.
  struct Moved {
    StagedPage page;
    bool current, lost;
  };
  void move(Frontier& frontier, Stage& stage);
  std::vector<Moved> take_up(const Frontier& frontier, const Stage& stage);
  void stage_again(Frontier& frontier, Stage& stage, std::span<const Moved> pages);

  Parts parts_;
  Layout layout_;
};

}  // namespace ftlab
