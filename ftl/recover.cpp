// Power-on scan: rebuilds mapping and block state from the medium alone. Of several copies of a logical page the one
// with the largest version wins; of equal ones (a relocation whose source was not erased yet) the relocated copy does:
// the room it took is not there a second time. Partly programmed superblocks become frontiers again, so that a loop of
// power cuts does not use up the free list.
//
// Trims are not recorded on the medium: after a power cut a trimmed page may return with its last content, as on drives
// without deterministic read after TRIM. Simulated time does not pass during the scan.
#include <algorithm>

#include "ftl/page_store.h"

namespace ftlab {

void PageStore::recover() {
  bool blank = true;
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
    if (medium_.programmed(BlockId{b}) == 0) continue;
    blank = false;
    blocks_.adopt(BlockId{b});
  }
  if (blank) return;
  blocks_.rebuild_free_list();
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) recover_pages(BlockId{b});
  for (std::uint32_t lpn = 0; lpn < map_.logical_pages(); ++lpn) {
    const Ppn ppn = map_.find(Lpn{lpn});
    if (ppn != kNoPpn) blocks_.set_valid(layout_.block_of(ppn), layout_.position(ppn));
  }
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) reopen(BlockId{b});
  pages_put_ = medium_.pages_programmed();
  superblocks_erased_ = medium_.superblocks_erased();
}

// Of two superblocks with the same content, whether `block` is the one relocated to: the relocation frontier never writes
// into a superblock that is older than a source of its own, and the host's frontier never copies.
bool PageStore::is_copy(BlockId block, BlockId other) const {
  if (medium_.frontier(block) != medium_.frontier(other)) return medium_.frontier(block) > medium_.frontier(other);
  return medium_.opened(block) > medium_.opened(other);
}

void PageStore::recover_pages(BlockId block) {
  for (std::uint32_t position = 0; position < medium_.programmed(block); ++position) {
    const Ppn ppn{number(layout_.first_page(block)) + position};
    const Lpn lpn = medium_.lpn(ppn);
    if (lpn == kNoLpn) continue;
    const Ppn rival = map_.find(lpn);
    newest_version_ = std::max(newest_version_, medium_.version(ppn));
    mapped_pages_ += rival == kNoPpn;
    const bool newer = rival == kNoPpn || medium_.version(rival) < medium_.version(ppn) ||
                       (medium_.version(rival) == medium_.version(ppn) && is_copy(block, layout_.block_of(rival)));
    if (newer) map_.set(lpn, ppn);
  }
}

void PageStore::reopen(BlockId block) {
  const std::uint32_t programmed = medium_.programmed(block);
  if (programmed == 0) return;
  if (programmed == layout_.pages_per_superblock()) {
    blocks_.close(block);
    return;
  }
  Frontier& frontier = frontiers_[std::min<std::uint32_t>(medium_.frontier(block), frontier_count_ - 1)];
  FTLAB_CHECK(!frontier.has_room(), "two partly programmed superblocks for one frontier");
  frontier.open(block, Nanoseconds{0}, programmed);
}

}  // namespace ftlab
