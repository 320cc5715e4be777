// The power-on scan: mapping and block state from the medium alone. Of several copies of a logical page the one with the
// largest version wins; of equal ones (a relocation whose source was not erased yet) the relocated copy does: the room it
// took is not there a second time. A copy's superblock is closed after its source's. Partly programmed superblocks become
// frontiers again, so that a loop of power cuts does not use up the free list: of each frontier the one with most room; the
// others, and those that find no frontier of theirs (the drive goes on with another design), are closed as they are.
//
// A log-block map takes up no frontier. There a superblock of a merge that was never closed holds copies whose sources are
// still there; it is as if it had never begun, so that a loop of cuts takes none of the few superblocks that merges have.
// What was merged from RAM is lost with it, for it was not durable.
//
// What a cut tore cannot be read; a page of several slots is there only if all of them are.
//
// On a drive that deduplicates the numbers of contents are given anew, so that of two copies the larger version may be an
// older content; which version is current is on record there. What is on record for no page is not taken up.
//
// A copy up to the version of the page's last trim on record is not taken up, and new versions go on behind the records,
// too. Simulated time does not pass during the scan.
#include <algorithm>

#include "ftl/mapping/deduplication.h"
#include "ftl/write/page_store.h"
#include "models/nand/array/data_slots.h"

namespace ftlab {
namespace {

// Of a layer that takes up no frontier, behind the first of which merges write: the superblock was to become a home.
bool is_cut_merge(bool reopens, const Medium& medium, SuperblockId block) {
  return !reopens && medium.superblocks().closed(block) == SuperblockRecords::kOpen &&
         medium.superblocks().frontier(block) == 0;
}

bool is_filled(const std::vector<Frontier>& frontiers, SuperblockId block) {
  return std::any_of(frontiers.begin(), frontiers.end(),
                     [block](const Frontier& frontier) { return frontier.block() == block && frontier.has_room(); });
}

}  // namespace

void PageStore::recover(const Deduplication* shared) {
  if (health_ != nullptr) retire_at_start();
  if (errors_ != nullptr) errors_->unmark_unprogrammed();
  std::vector<SuperblockId> written;
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
    if (medium_.superblocks().programmed(SuperblockId{b}) == 0) continue;
    const std::uint32_t frontier = medium_.superblocks().frontier(SuperblockId{b});
    blocks_.adopt(SuperblockId{b}, BlockState::open, frontier < frontiers_.size() ? frontiers_[frontier].plan().pool : 0);
    written.push_back(SuperblockId{b});
  }
  for (std::uint32_t l = 0; medium_.trims().any() && l < host_lpns_; ++l) {
    newest_version_ = std::max(newest_version_, medium_.trims().version(Lpn{l}));
  }
  counts_.superblocks_erased = medium_.superblocks().erased();
  if (written.empty()) {
    counts_.pages_appended = medium_.pages().programmed();
    return;
  }
  blocks_.rebuild_free_list();
  // In order of closing, by which policies tell age.
  std::sort(written.begin(), written.end(), [this](SuperblockId a, SuperblockId b) {
    return medium_.superblocks().closed(a) != medium_.superblocks().closed(b)
               ? medium_.superblocks().closed(a) < medium_.superblocks().closed(b)
               : medium_.superblocks().opened(a) < medium_.superblocks().opened(b);
  });
  choose_open(written);
  for (const SuperblockId block : written) recover_pages(block, shared);
  for (std::uint32_t lpn = 0; lpn < map_.lpns(); ++lpn) {
    const Ppn ppn = map_.find(Lpn{lpn});
    if (ppn == kNoPpn) continue;
    const SuperblockId block = layout_.block_of(ppn);
    DataSlots(layout_).each(layout_.position(ppn), medium_.pages().slots(ppn),
                            [&](std::uint32_t p) { set_valid(block, p); });
  }
  for (const SuperblockId block : written) reopen(block);
  counts_.pages_appended = medium_.pages().programmed() - counts_.parity_pages;
}

// Of two superblocks with the same content, whether `block` is the one relocated to, whose copy is to be taken.
bool PageStore::is_copy(SuperblockId block, SuperblockId other) const {
  if (medium_.superblocks().closed(block) != medium_.superblocks().closed(other))
    return medium_.superblocks().closed(block) > medium_.superblocks().closed(other);
  return medium_.superblocks().opened(block) > medium_.superblocks().opened(other);
}

void PageStore::recover_pages(SuperblockId block, const Deduplication* shared) {
  for (std::uint32_t position = 0; position < medium_.superblocks().programmed(block); ++position) {
    const Ppn ppn{number(layout_.first_page(block)) + position};
    const Lpn lpn = medium_.pages().lpn(ppn);
    room_lost_ |= lpn == kTornLpn;
    if (number(lpn) >= map_.lpns()) continue;  // padding, parity; translation pages of another design
    if (number(lpn) < host_lpns_) newest_version_ = std::max(newest_version_, medium_.pages().version(ppn));
    if (is_cut_merge(reopens_, medium_, block)) continue;
    const Version trimmed = medium_.trims().version(lpn);
    if (trimmed != Version{0} && medium_.pages().version(ppn) <= trimmed) continue;
    if (largest_page_ > 1 && is_torn(ppn)) continue;
    if (shared != nullptr && shared->stored_version(lpn) != medium_.pages().version(ppn)) continue;
    const Ppn rival = map_.find(lpn);
    mapped_pages_ += rival == kNoPpn;
    const bool newer =
        rival == kNoPpn || medium_.pages().version(rival) < medium_.pages().version(ppn) ||
        (medium_.pages().version(rival) == medium_.pages().version(ppn) && is_copy(block, layout_.block_of(rival)));
    if (newer) map_.set(lpn, ppn);
  }
}

bool PageStore::is_torn(Ppn ppn) const {
  const std::uint32_t first = number(layout_.first_page(layout_.block_of(ppn)));
  bool torn = false;
  DataSlots(layout_).each(layout_.position(ppn), medium_.pages().slots(ppn), [&](std::uint32_t position) {
    torn = torn || medium_.pages().lpn(Ppn{first + position}) == kTornLpn;
  });
  return torn;
}

// Superblocks that are to be filled up, one for each frontier, which then names it; the others are closed. All this before
// copies are compared, so that the next power-on scan, which finds them closed, compares them alike.
void PageStore::choose_open(std::span<const SuperblockId> written) {
  for (const SuperblockId block : written) {
    const std::uint32_t frontier = medium_.superblocks().frontier(block);
    if (!reopens_ || medium_.superblocks().closed(block) != SuperblockRecords::kOpen || frontier >= frontiers_.size())
      continue;
    Frontier& taken = frontiers_[frontier];
    const std::uint32_t programmed = medium_.superblocks().programmed(block);
    if (taken.has_room() && taken.next() <= programmed) continue;
    taken.open(block, medium_.superblocks().pslc(block), programmed, DataSlots(layout_).count_before(programmed));
  }
  for (const SuperblockId block : written) {
    const bool open = medium_.superblocks().closed(block) == SuperblockRecords::kOpen;
    if (open && !is_filled(frontiers_, block) && !is_cut_merge(reopens_, medium_, block)) medium_.close(block);
  }
}

// A row that is complete but for its parity gets that first.
void PageStore::reopen(SuperblockId block) {
  FTLAB_DCHECK(medium_.superblocks().programmed(block) > 0, "an erased superblock is opened again");
  if (!is_filled(frontiers_, block)) {
    const std::uint32_t used = DataSlots(layout_).count_before(medium_.superblocks().programmed(block));
    room_lost_ |= !medium_.superblocks().pslc(block) && used < DataSlots(layout_).whole_rows(layout_.data_pages());
    return blocks_.close(block, counts_.pages_appended);
  }
  Frontier& frontier = frontiers_[medium_.superblocks().frontier(block)];
  if (layout_.has_parity()) program_parity(frontier);
}

}  // namespace ftlab
