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
  map_.set(lpn, ppn);
  if (largest_page_ == 1) return gain(block, layout_.position(ppn));
  DataSlots(layout_).each(layout_.position(ppn), medium_.pages().slots(ppn), [&](std::uint32_t p) { gain(block, p); });
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
