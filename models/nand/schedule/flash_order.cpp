#include "models/nand/schedule/flash_order.h"

namespace ftlab {

// One more erase or barrier of the superblock has ended. Programs wait only for those requested before them.
std::vector<FlashOrder::Gated> FlashOrder::take_opened(std::uint32_t superblock) {
  FTLAB_DCHECK(superblock < erasing_.size(), "an erase ends of a superblock that was never erased");
  Erasing& erasing = erasing_[superblock];
  FTLAB_CHECK(erasing.ended < erasing.asked, "superblock " + std::to_string(superblock) + " is not being erased");
  const std::uint32_t ended = ++erasing.ended;
  const bool opens = erasing.opens_at > 0 && erasing.opens_at <= ended;
  if (ended == erasing.asked) erasing = {};
  std::vector<Gated> opened;
  if (!opens) return opened;
  std::uint32_t next = 0;
  std::erase_if(gated_, [&](const Gated& gated) {
    if (gated.superblock != superblock) return false;
    if (gated.asked <= ended) return opened.push_back(gated), true;
    if (next == 0 || gated.asked < next) next = gated.asked;
    return false;
  });
  erasing.opens_at = next;
  return opened;
}

void FlashOrder::clear() {
  programs_.clear();
  host_programs_.clear();
  ordered_.clear();
  flushes_.clear();
  gated_.clear();
  erasing_.clear();
  last_erase_ = OperationTable::kNone;
  after_erase_.clear();
}

}  // namespace ftlab
