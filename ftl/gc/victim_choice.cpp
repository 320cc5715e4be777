#include "ftl/gc/victim_choice.h"

#include <algorithm>

#include "ftl/gc/pslc_mode.h"

namespace ftlab {
namespace {

std::unique_ptr<GcPolicy> policy_for(const FtlConfig& config, std::uint32_t pool) {
  if (config.is_slc_pool(pool)) return gc_policy_kinds()[gc_policy_index("fifo")].make({});
  return config.gc.own ? config.gc.own(pool) : gc_policy_kinds()[config.gc.policy].make(config.gc.values);
}

}  // namespace

VictimChoice::VictimChoice(const FtlConfig& config, std::uint32_t pool, const PageStore& store)
    : wear_(config.wear), pool_(pool), store_(store), policy_(policy_for(config, pool)) {}

SuperblockId VictimChoice::by_wear() {
  const std::uint64_t erased = store_.counts().superblocks_erased;
  if (wear_.static_spread == 0 || erased < erases_at_wear_check_ + wear_.check_every_erases) return kNoBlock;
  if (store_.blocks().free().count(pool_) <= store_.supply().reserve(pool_)) return kNoBlock;
  erases_at_wear_check_ = erased;
  const ClosedBlocks& closed = store_.blocks().closed();
  const std::span<const std::uint32_t> erases = store_.medium().superblocks().erase_counts();
  SuperblockId least = closed.oldest(pool_);
  if (least == kNoBlock) return kNoBlock;
  for (SuperblockId b = least; b != kNoBlock; b = closed.next_younger(b))
    if (erases[number(b)] < erases[number(least)]) least = b;
  return *std::max_element(erases.begin(), erases.end()) - erases[number(least)] > wear_.static_spread ? least : kNoBlock;
}

bool VictimChoice::any_stale() const {
  const Blocks& blocks = store_.blocks();
  for (SuperblockId block = blocks.closed().oldest(pool_); block != kNoBlock; block = blocks.closed().next_younger(block))
    if (blocks.valid(block) < guaranteed_slots(store_)) return true;
  return false;
}

SuperblockId VictimChoice::by_policy(std::uint32_t free_or_pending_erase, bool folds, RandomStream& random) {
  const Blocks& blocks = store_.blocks();
  const GcView view{blocks, pool_, store_.counts().pages_appended, store_.medium().superblocks().erase_column()};
  const SuperblockId chosen = free_or_pending_erase == 0 ? emptiest(blocks, pool_) : policy_->choose(view, random);
  if (chosen == kNoBlock) return kNoBlock;
  FTLAB_CHECK(
      number(chosen) < blocks.count() && blocks.state(chosen) == BlockState::closed &&
          blocks.columns().pool[number(chosen)] == pool_,
      "the policy chose superblock " + std::to_string(number(chosen)) + ", which is not a closed superblock of its pool");
  const bool full = blocks.valid(chosen) >= guaranteed_slots(store_) && !folds;
  if (full && !any_stale()) return kNoBlock;
  // Policies that ignore stale pages find some sooner or later; one that never does is overruled.
  futile_ = full ? futile_ + 1 : 0;
  return futile_ > kMostFutile * blocks.closed().count(pool_) ? emptiest(blocks, pool_) : chosen;
}

}  // namespace ftlab
