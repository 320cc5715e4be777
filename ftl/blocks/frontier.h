// A write point: one open superblock, filled in order. Pages that wait for their stripe are in the frontier's Stage.
#pragma once

#include <cstdint>
#include <string>

#include "models/nand/array/data_slots.h"
#include "models/nand/array/medium.h"
#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

// Purpose of a frontier.
struct FrontierPlan {
  std::uint8_t pool = 0;
  bool relocation = false;          // takes relocated pages; host writes may share it
  std::uint32_t cells_per_bit = 1;  // pSLC superblocks use one page in this many; 1: no pSLC
  bool always_pslc = false;         // pSLC cache; else the drive's mode decides when a superblock is opened
  std::uint32_t superblocks = 1;    // taken together: a reclaim unit
};

class Frontier {
 public:
  Frontier(const Layout& layout, std::uint8_t number, FrontierPlan plan)
      : number_(number),
        plan_(plan),
        full_capacity_(DataSlots(layout).whole_rows(layout.data_pages())),
        pslc_capacity_(DataSlots(layout).whole_rows(layout.data_pages() / plan.cells_per_bit)),
        capacity_(full_capacity_) {}

  // `pslc`: one bit a cell. `next` > 0: continues in a superblock that was partly programmed before a power cut, with `used`
  // data slots taken. REQUIRES: nothing is staged, or it will be staged again.
  void open(SuperblockId block, bool pslc, std::uint32_t next = 0, std::uint32_t used = 0) {
    FTLAB_DCHECK(block != kNoBlock && used <= next, "more slots are used than were programmed");
    FTLAB_DCHECK(!pslc || plan_.cells_per_bit > 1, "one bit a cell at a frontier that has no pSLC");
    block_ = block;
    pslc_ = pslc;
    capacity_ = pslc ? pslc_capacity_ : full_capacity_;
    next_ = next;
    used_ = used;
  }
  bool has_room() const { return room() > 0; }
  std::uint32_t room() const { return block_ == kNoBlock ? 0 : capacity_ - used_; }
  std::uint32_t used() const { return used_; }  // data slots that are taken or given up
  std::uint32_t next() const { return next_; }

  // Takes the next slot for staged data. Returns its position. REQUIRES: has_room().
  std::uint32_t take() {
    FTLAB_DCHECK(has_room(), "a page takes a slot of a full superblock");
    ++used_;
    return next_++;
  }
  // `slots` slots, in whole stripes, were programmed without being staged.
  void pass(std::uint32_t slots) {
    FTLAB_DCHECK(slots <= room(), "more is programmed than there is room for");
    next_ += slots;
    used_ += slots;
  }
  // Skips slots without data (parity, a failed program), or with data whose room is reserved already.
  void skip(std::uint32_t slots) { next_ += slots; }
  // Reserves a slot for a page that waits behind the stage. No-op if no room is left.
  void reserve_slot() { used_ += has_room(); }
  void free_slots(std::uint32_t reserved) {
    FTLAB_DCHECK(used_ >= reserved, "more pages wait than slots are taken");
    used_ -= reserved;
  }
  // Gives up the remaining room of the superblock.
  void leave() {
    FTLAB_DCHECK(block_ != kNoBlock, "the room of no superblock is given up");
    used_ = capacity_;
  }

  std::uint8_t number() const { return number_; }
  const FrontierPlan& plan() const { return plan_; }
  SuperblockId block() const { return block_; }
  bool pslc() const { return pslc_; }

  template <class A>
  void archive(A& archive) {
    archive.section("frontier");
    archive.value(block_);
    archive.value(pslc_);
    for (auto* value : {&capacity_, &next_, &used_}) archive.value(*value);
  }

 private:
  friend struct BrokenDrive;
  std::uint8_t number_;
  FrontierPlan plan_;
  std::uint32_t full_capacity_, pslc_capacity_;
  std::uint32_t capacity_;  // in the open superblock
  bool pslc_ = false;
  SuperblockId block_ = kNoBlock;
  std::uint32_t next_ = 0;
  std::uint32_t used_ = 0;
};

}  // namespace ftlab
