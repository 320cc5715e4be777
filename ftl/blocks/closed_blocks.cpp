#include "ftl/blocks/closed_blocks.h"

namespace ftlab {

ClosedBlocks::ClosedBlocks(const Layout& layout, Bins::Keeping keeping, std::uint32_t window, std::size_t pools)
    : window_(window),
      binned_(layout.superblocks()),
      older_(layout.superblocks(), kNoBlock),
      younger_(layout.superblocks(), kNoBlock),
      pools_(pools, Pool{.bins = Bins(keeping, layout.superblocks(), layout.pages_per_superblock())}) {}

void ClosedBlocks::add(SuperblockId block, std::uint32_t of, const Column<std::uint32_t>& valid) {
  FTLAB_DCHECK(of < pools_.size() && !binned(block), "a superblock is closed in no pool, or twice");
  Pool& pool = pools_[of];
  ++pool.count;
  older_[number(block)] = pool.youngest;
  younger_[number(block)] = kNoBlock;
  (pool.youngest == kNoBlock ? pool.oldest : younger_[number(pool.youngest)]) = block;
  pool.youngest = block;
  if (pool.oldest_outside_window == kNoBlock) pool.oldest_outside_window = block;
  fill_window(pool, valid);
}

void ClosedBlocks::remove(SuperblockId block, std::uint32_t of, const Column<std::uint32_t>& valid) {
  Pool& pool = pools_[of];
  FTLAB_DCHECK(pool.count > 0, "a pool has no closed superblock");
  --pool.count;
  const SuperblockId older = older_[number(block)], younger = younger_[number(block)];
  FTLAB_DCHECK(older != kNoBlock || pool.oldest == block, "a superblock without an older one is not the oldest of its pool");
  FTLAB_DCHECK(younger != kNoBlock || pool.youngest == block, "a superblock without a younger one is not the youngest");
  if (pool.oldest_outside_window == block) pool.oldest_outside_window = younger;
  (older == kNoBlock ? pool.oldest : younger_[number(older)]) = younger;
  (younger == kNoBlock ? pool.youngest : older_[number(younger)]) = older;
  if (!binned(block)) return;
  pool.bins.leave(block, valid[number(block)]);
  binned_[number(block)] = 0;
  FTLAB_DCHECK(pool.in_window > 0, "a pool has no superblock in its bins");
  --pool.in_window;
  fill_window(pool, valid);
}

void ClosedBlocks::fill_window(Pool& pool, const Column<std::uint32_t>& valid) {
  while (pool.oldest_outside_window != kNoBlock && (window_ == 0 || pool.in_window < window_)) {
    const SuperblockId block = pool.oldest_outside_window;
    pool.oldest_outside_window = younger_[number(block)];
    pool.bins.enter(block, valid[number(block)]);
    binned_[number(block)] = 1;
    ++pool.in_window;
  }
}

}  // namespace ftlab
