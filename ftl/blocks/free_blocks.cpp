#include "ftl/blocks/free_blocks.h"

namespace ftlab {

// Entries before the chosen superblock move back by one slot, so that the rest keep their order.
SuperblockId FreeBlocks::take(std::uint32_t pool, FreeOrder order, std::span<const std::uint32_t> wear) {
  FTLAB_CHECK(count(pool) > 0, "no free superblock in pool " + std::to_string(pool) + ": the reserve was not kept");
  FTLAB_DCHECK(order == FreeOrder::fifo || wear.size() == ring_.size(), "an order by wear that is not known");
  const auto wear_at = [&](std::uint32_t index) { return wear[number(ring_[slot(index)])]; };
  const auto takes = [&](std::uint32_t index) { return may_take(pool, ring_[slot(index)]); };
  std::uint32_t best = 0;
  while (best < count_ && !takes(best)) ++best;
  FTLAB_CHECK(best < count_, "pool " + std::to_string(pool) + " owns no free superblock");
  for (std::uint32_t i = best + 1; order != FreeOrder::fifo && i < count_; ++i) {
    const bool better = order == FreeOrder::least_worn ? wear_at(i) < wear_at(best) : wear_at(i) > wear_at(best);
    if (better && takes(i)) best = i;
  }
  const SuperblockId block = ring_[slot(best)];
  for (std::uint32_t i = best; i > 0; --i) ring_[slot(i)] = ring_[slot(i - 1)];
  first_ = slot(1);
  --count_;
  claim(pool);
  return block;
}

}  // namespace ftlab
