// The power-on scan: mapping and block state from the medium alone. Of several copies of a logical page the one with the
// largest version wins; of equal ones (a relocation whose source was not erased yet) the relocated copy does: the room it
// took is not there a second time. A copy's superblock is closed after its source's. Partly programmed superblocks become
// frontiers again, so that a loop of power cuts does not use up the free list; those that find no frontier of theirs (the
// drive goes on with another design) are closed as they are.
//
// On a drive that deduplicates the numbers of contents are given anew, so that of two copies the larger version may be an
// older content; which version is current is on record there. What is on record for no page is not taken up.
//
// Trims are not recorded on the medium: after a power cut a trimmed page may return with its last content, as on drives
// without deterministic read after TRIM. Simulated time does not pass during the scan.
#include <algorithm>

#include "ftl/deduplication.h"
#include "ftl/page_store.h"

namespace ftlab {

void PageStore::recover(const Deduplication* shared) {
  if (health_ != nullptr) retire_at_start();
  if (errors_ != nullptr) errors_->unmark_unprogrammed();
  std::vector<BlockId> written;
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
    if (medium_.programmed(BlockId{b}) == 0) continue;
    const std::uint32_t frontier = medium_.frontier(BlockId{b});
    blocks_.adopt(BlockId{b}, frontier < frontiers_.size() ? frontiers_[frontier].plan().pool : 0);
    written.push_back(BlockId{b});
  }
  if (written.empty()) return;
  blocks_.rebuild_free_list();
  for (const BlockId block : written) recover_pages(block, shared);
  for (std::uint32_t lpn = 0; lpn < map_.lpns(); ++lpn) {
    const Ppn ppn = map_.find(Lpn{lpn});
    if (ppn == kNoPpn) continue;
    const BlockId block = layout_.block_of(ppn);
    each_place(layout_.position(ppn), medium_.slots(ppn), [&](std::uint32_t p) { blocks_.set_valid(block, p); });
  }
  // In order of closing, by which policies tell age.
  std::sort(written.begin(), written.end(), [this](BlockId a, BlockId b) {
    return medium_.closed(a) != medium_.closed(b) ? medium_.closed(a) < medium_.closed(b)
                                                  : medium_.opened(a) < medium_.opened(b);
  });
  for (const BlockId block : written) reopen(block);
  pages_put_ = medium_.pages_programmed();
  superblocks_erased_ = medium_.superblocks_erased();
}

// Of two superblocks with the same content, whether `block` is the one relocated to.
bool PageStore::is_copy(BlockId block, BlockId other) const {
  if (medium_.closed(block) != medium_.closed(other)) return medium_.closed(block) > medium_.closed(other);
  return medium_.opened(block) > medium_.opened(other);
}

void PageStore::recover_pages(BlockId block, const Deduplication* shared) {
  for (std::uint32_t position = 0; position < medium_.programmed(block); ++position) {
    const Ppn ppn{number(layout_.first_page(block)) + position};
    const Lpn lpn = medium_.lpn(ppn);
    if (number(lpn) >= map_.lpns()) continue;  // padding, parity; translation pages of another design
    if (number(lpn) < host_lpns_) newest_version_ = std::max(newest_version_, medium_.version(ppn));
    if (shared != nullptr && shared->stored_version(lpn) != medium_.version(ppn)) continue;
    const Ppn rival = map_.find(lpn);
    mapped_pages_ += rival == kNoPpn;
    const bool newer = rival == kNoPpn || medium_.version(rival) < medium_.version(ppn) ||
                       (medium_.version(rival) == medium_.version(ppn) && is_copy(block, layout_.block_of(rival)));
    if (newer) map_.set(lpn, ppn);
  }
}

void PageStore::reopen(BlockId block) {
  const std::uint32_t programmed = medium_.programmed(block);
  const std::uint32_t number_of_frontier = medium_.frontier(block);
  if (medium_.closed(block) == Medium::kOpen) {
    if (reopens_ && number_of_frontier < frontiers_.size() && !frontiers_[number_of_frontier].has_room()) {
      Frontier& frontier = frontiers_[number_of_frontier];
      frontier.open(block, Nanoseconds{0}, medium_.fast(block), programmed, layout_.data_before(programmed));
      if (frontier.has_room()) return;
    }
    medium_.close(block);
  }
  blocks_.close(block, pages_put_);
}

}  // namespace ftlab
