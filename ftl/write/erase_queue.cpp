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
  if (by_replaced()) return replaces(frontier, SuperblockId{static_cast<std::uint32_t>(one.block)});
  if (scheme_ == PlacementConfig::Scheme::pools && frontier.plan().pool != pool_of(one)) return false;
  return stage.id() <= one.stage;
}

// True if the list matches the counts of the pools and each superblock in it waits for a stage.
bool EraseQueue::has_no_problem() const {
  std::vector<std::uint32_t> waiting(waiting_.size());
  for (const Pending& one : pending_) {
    const SuperblockId block{static_cast<std::uint32_t>(one.block)};
    if (blocks_.state(block) != BlockState::pending_erase || !is_held_up(one)) return false;
    ++waiting[pool_of(one)];
  }
  return waiting == waiting_;
}

std::span<const Rule<EraseQueue>> EraseQueue::rules() {
  static constexpr Rule<EraseQueue> kRules[] = {
      {"a superblock to be erased does not exist.",
       [](const EraseQueue& it) {
         return each(it.pending_, [&](const Pending& one) { return one.block < it.blocks_.count(); });
       }},
      {"a superblock waits for its erase, but for nothing that is staged.",
       [](const EraseQueue& it) { return it.has_no_problem(); }},
  };
  return kRules;
}

}  // namespace ftlab
