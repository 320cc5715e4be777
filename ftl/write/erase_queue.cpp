#include "ftl/write/erase_queue.h"

namespace ftlab {

const Frontier* EraseQueue::oldest_staged(std::uint32_t pool) const {
  const Frontier* oldest = nullptr;
  for (const Frontier& frontier : frontiers_) {
    const auto waits = [&](const Pending& one) { return pool_of(one) == pool && holds_up(frontier, one); };
    if (std::ranges::none_of(pending_, waits)) continue;
    if (oldest == nullptr || stages_[frontier.number()].id() < stages_[oldest->number()].id()) oldest = &frontier;
  }
  return oldest;
}

bool EraseQueue::holds_up(const Frontier& frontier, const Pending& one) const {
  const Stage& stage = stages_[frontier.number()];
  if (stage.count() == 0) return false;
  if (by_replaced()) return replaces(frontier, SuperblockId{one.block});
  if (scheme_ == PlacementConfig::Scheme::pools && frontier.plan().pool != pool_of(one)) return false;
  return stage.id() <= one.stage;
}

}  // namespace ftlab
