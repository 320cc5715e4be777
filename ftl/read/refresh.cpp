#include "ftl/read/refresh.h"

namespace ftlab {

Refresh::Refresh(const RefreshConfig& config, std::uint32_t superblocks, std::uint32_t pools)
    : config_(config),
      threshold_(static_cast<double>(config.errors_per_pbit) / 1e15),
      waits_(config.on() ? superblocks : 0),
      waiting_(pools) {}

void Refresh::enqueue_refresh(SuperblockId block, std::uint32_t pool) {
  FTLAB_DCHECK(number(block) < waits_.size() && pool < waiting_.size(), "refresh of a superblock beyond the drive");
  if (waits_[number(block)]) return;
  waits_[number(block)] = 1;
  ++waiting_[pool];
}

void Refresh::forget(SuperblockId block, std::uint32_t pool) {
  if (!config_.on() || !waits_[number(block)]) return;
  FTLAB_CHECK(waiting_[pool] > 0, "a superblock waits for refresh in another pool than its own");
  waits_[number(block)] = 0;
  --waiting_[pool];
}

SuperblockId Refresh::take(const Blocks& blocks, std::uint32_t pool) {
  for (std::uint32_t looked = 0; waits(pool) && looked < blocks.count(); ++looked) {
    const SuperblockId block{cursor_};
    cursor_ = cursor_ + 1 == blocks.count() ? 0 : cursor_ + 1;
    if (!waits_[number(block)] || blocks.columns().pool[number(block)] != pool) continue;
    FTLAB_CHECK(blocks.state(block) == BlockState::closed, "a superblock that waits for refresh is not closed");
    forget(block, pool);
    return block;
  }
  return kNoBlock;
}

}  // namespace ftlab
