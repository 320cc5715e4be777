#include "ftl/gc/cell_scan.h"

namespace ftlab {

// Superblocks without data are skipped: the date of the errors is that of their erased content.
bool CellScan::wants_refresh(SuperblockId block) const {
  FTLAB_DCHECK(store_.pages().errors() != nullptr, "a flash is scanned for errors that has none");
  return store_.medium().superblocks().programmed(block) > 0 && refresh_.wants(store_.pages().errors()->worst(block), 0);
}

bool CellScan::may_close(const Frontier& frontier) const {
  const std::uint32_t pool = frontier.plan().pool;
  return frontier.has_room() && store_.blocks().free().count(pool) > store_.supply().reserve(pool) &&
         wants_refresh(frontier.block());
}

void CellScan::run() {
  for (const Frontier& frontier : store_.frontiers()) {
    if (may_close(frontier)) store_.close_early(frontier);
  }
  const Blocks& blocks = store_.blocks();
  for (std::uint32_t b = 0; b < blocks.count(); ++b) {
    if (blocks.state(SuperblockId{b}) == BlockState::closed && wants_refresh(SuperblockId{b}))
      refresh_.enqueue_refresh(SuperblockId{b}, blocks.columns().pool[b]);
  }
}

bool CellScan::would_find() const {
  for (const Frontier& frontier : store_.frontiers()) {
    if (may_close(frontier)) return true;
  }
  const Blocks& blocks = store_.blocks();
  for (std::uint32_t b = 0; b < blocks.count(); ++b) {
    const bool known = blocks.state(SuperblockId{b}) != BlockState::closed || refresh_.waits(SuperblockId{b});
    if (!known && wants_refresh(SuperblockId{b})) return true;
  }
  return false;
}

}  // namespace ftlab
