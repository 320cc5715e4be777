#include "ftl/write/page_table.h"
#include "models/nand/array/data_slots.h"

namespace ftlab {

void PageTable::lose_slots(Ppn last) {
  const SuperblockId block = layout_.block_of(last);
  DataSlots(layout_).each(layout_.position(last), at(last).slots, [&](std::uint32_t position) { lose(block, position); });
}

void PageTable::take_up(Lpn lpn, Ppn ppn) {
  const SuperblockId block = layout_.block_of(ppn);
  replace(lpn, largest_page_ == 1);
  const std::uint32_t last = layout_.position(ppn);
  if (largest_page_ == 1) return gain(block, last, lpn);
  DataSlots(layout_).each(last, medium_.pages().slots(ppn),
                          [&](std::uint32_t position) { gain(block, position, position == last ? lpn : kNoLpn); });
}

StagedPage PageTable::staged_at(Ppn ppn) const {
  const SuperblockId block = layout_.block_of(ppn);
  for (std::size_t f = 0; f < frontiers_.size(); ++f) {  // a full frontier still names its old superblock
    if (frontiers_[f].block() == block && stages_[f].count() > 0)
      return stages_[f].at(layout_.position(ppn), frontiers_[f].next());
  }
  FTLAB_CHECK(false, "page " + std::to_string(number(ppn)) + " is neither programmed nor staged");
}

}  // namespace ftlab
