// Stages whose program fails. That spoils the whole stripe, but the data are in RAM still: the superblock is closed as it
// is, and they begin the next free one; without a free one they go to the next stripe of the same superblock. What finds no
// room there either stays in RAM, and the drive is at its end. The stage keeps its number, so that nothing is erased that
// its pages replace.
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
  // What it works with. REQUIRES: all outlive it.
  struct Parts {
    Medium& medium;
    Blocks& blocks;
    PageTable& pages;
    SuperblockSupply& supply;
    StripeWriter& writer;
    StoreCounts& counts;
  };
  explicit StageRetry(const Parts& parts) : parts_(parts), layout_(parts.medium.layout()) {}

  // Moves the stage for as long as its program fails. False: it finds no room in the flash any more.
  bool find_place(Frontier& frontier, Stage& stage);

 private:
  // One slot of what is staged again.
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
