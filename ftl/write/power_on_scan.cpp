// Among several copies of a logical page the one with the largest version wins. Equal versions are those of a relocation
// whose source was not erased yet: the relocated copy wins, because its room could not be provided a second time. A copy's
// superblock is closed after its source's. Partly programmed superblocks become frontiers again, so that repeated power cuts
// do not use up the free list: for each frontier the one with most room. The others, and those without a frontier in the
// current design, are closed as they are.
//
// A log-block map does not reopen frontiers. There, a merge superblock that was never closed holds copies whose sources
// still exist. It is treated as if the merge had never begun, so that repeated cuts take none of the few superblocks for
// merges. Data merged from RAM are lost with it, as they were not durable.
//
// Torn pages cannot be read; a page of several slots is valid only if all of them are.
//
// With deduplication, numbers of contents are reused, so the larger version may be an older content. There, a record says
// which version is current. Copies without a record are ignored.
//
// A copy is ignored if its version is not after the page's last recorded trim, and new versions continue after the records.
// The scan takes no simulated time.
#include "ftl/write/power_on_scan.h"
#include "models/nand/array/data_slots.h"

#include <algorithm>

#include "ftl/mapping/deduplication.h"

namespace ftlab {
namespace {

class PowerOnScan {
 public:
  PowerOnScan(const ScannedStore& store, std::uint32_t host_lpns, bool reopens, const Deduplication* shared)
      : store_(store),
        medium_(store.medium),
        layout_(medium_.layout()),
        host_lpns_(host_lpns),
        reopens_(reopens),
        shared_(shared) {}

  void run() {
    store_.supply.retire_at_start();
    adopt_written();
    store_.blocks.rebuild_free_list();
    for (std::uint32_t l = 0; medium_.trims().any() && l < host_lpns_; ++l)
      store_.pages.note_version(medium_.trims().version(Lpn{l}));
    choose_open();
    for (const SuperblockId block : written_) scan(block);
    for (const SuperblockId block : written_) reopen(block);
    store_.counts.superblocks_erased = medium_.superblocks().erased();
    store_.counts.pages_appended = medium_.pages().programmed() - store_.counts.parity_pages;
  }

 private:
  // In order of closing, which policies use as age.
  void adopt_written() {
    for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
      const SuperblockId block{b};
      if (medium_.superblocks().programmed(block) == 0) continue;
      const std::uint32_t frontier = medium_.superblocks().frontier(block);
      const bool known = frontier < store_.frontiers.size();
      const std::uint32_t pool = known ? store_.frontiers[frontier].plan().pool : store_.blocks.columns().pool[b];
      store_.blocks.adopt(block, BlockState::open, pool);
      written_.push_back(block);
    }
    std::sort(written_.begin(), written_.end(), [this](SuperblockId a, SuperblockId b) { return is_copy(b, a); });
  }

  // True if `block`, of two superblocks with the same content, is the target of the relocation. Its copy wins.
  bool is_copy(SuperblockId block, SuperblockId other) const {
    if (medium_.superblocks().closed(block) != medium_.superblocks().closed(other))
      return medium_.superblocks().closed(block) > medium_.superblocks().closed(other);
    return medium_.superblocks().opened(block) > medium_.superblocks().opened(other);
  }

  // Chooses one superblock for each frontier to be filled up; the others are closed. This happens before copies are
  // compared, so that the next power-on scan, which finds them closed, compares them in the same way.
  void choose_open() {
    for (const SuperblockId block : written_) {
      const std::uint32_t frontier = medium_.superblocks().frontier(block);
      if (!reopens_ || medium_.superblocks().closed(block) != SuperblockRecords::kOpen ||
          frontier >= store_.frontiers.size())
        continue;
      Frontier& taken = store_.frontiers[frontier];
      const std::uint32_t programmed = medium_.superblocks().programmed(block);
      FTLAB_DCHECK(programmed <= layout_.pages_per_superblock(), "more pages are programmed than a superblock has");
      if (taken.has_room() && taken.next() <= programmed) continue;
      taken.open(block, medium_.superblocks().pslc(block), programmed, DataSlots(layout_).count_before(programmed));
    }
    for (const SuperblockId block : written_) {
      const bool open = medium_.superblocks().closed(block) == SuperblockRecords::kOpen;
      if (open && !is_filled(block) && !is_cut_merge(block)) medium_.close(block);
    }
  }

  bool is_filled(SuperblockId block) const {
    return std::ranges::any_of(
        store_.frontiers, [block](const Frontier& frontier) { return frontier.block() == block && frontier.has_room(); });
  }
  // For a layer that does not reopen frontiers (merges write the first one): true if the superblock was an unfinished merge.
  bool is_cut_merge(SuperblockId block) const {
    return !reopens_ && medium_.superblocks().closed(block) == SuperblockRecords::kOpen &&
           medium_.superblocks().frontier(block) == 0;
  }

  // In order of their map entries: neighbours lie on one page of the machine's memory, whose address is looked up once.
  void scan(SuperblockId block) {
    find(block);
    sort_found();
    prefetch_map(0);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i % kAhead == 0) prefetch_map(i + kAhead);
      take_newest(block, found_[i].lpn, found_[i].ppn);
    }
  }

  void find(SuperblockId block) {
    const std::uint32_t first = number(layout_.first_page(block)), end = first + medium_.superblocks().programmed(block);
    found_.clear();
    for (std::uint32_t ppn = first; ppn < end; ++ppn) {
      const Lpn lpn = medium_.pages().lpn(Ppn{ppn});
      if (lpn == kTornLpn) store_.supply.lose_room();
      if (number(lpn) >= store_.pages.map().lpns()) continue;  // padding, parity; translation pages of another design
      if (number(lpn) < host_lpns_) store_.pages.note_version(medium_.pages().version(Ppn{ppn}));
      if (!is_cut_merge(block) && is_usable(lpn, Ppn{ppn})) found_.push_back({lpn, Ppn{ppn}});
    }
  }

  // By the 2 MiB of the map on which their entries lie. Copies of one page stay in order.
  void sort_found() {
    constexpr std::uint32_t kShift = 19;
    const auto part_of = [](const Found& found) { return number(found.lpn) >> kShift; };
    const std::uint32_t parts = (store_.pages.map().lpns() >> kShift) + 1;
    if (parts == 1 || found_.size() < 2 * std::size_t{parts}) return;
    starts_.assign(parts + 1, 0);
    for (const Found& found : found_) ++starts_[part_of(found) + 1];
    for (std::uint32_t part = 0; part < parts; ++part) starts_[part + 1] += starts_[part];
    sorted_.resize(found_.size());
    for (const Found& found : found_) sorted_[starts_[part_of(found)]++] = found;
    found_.swap(sorted_);
  }

  void take_newest(SuperblockId block, Lpn lpn, Ppn ppn) {
    const Ppn rival = store_.pages.map().find(lpn);
    const bool newer =
        rival == kNoPpn || medium_.pages().version(rival) < medium_.pages().version(ppn) ||
        (medium_.pages().version(rival) == medium_.pages().version(ppn) && is_copy(block, layout_.block_of(rival)));
    if (newer) store_.pages.take_up(lpn, ppn);
  }

  static constexpr std::size_t kAhead = 64;
  void prefetch_map(std::size_t first) const {
    for (std::size_t i = first; i < std::min(first + kAhead, found_.size()); ++i) store_.pages.map().prefetch(found_[i].lpn);
  }

  // True if the copy was not trimmed since, is complete, and is the recorded content.
  bool is_usable(Lpn lpn, Ppn ppn) const {
    const Version trimmed = medium_.trims().version(lpn);
    if (trimmed != Version{0} && medium_.pages().version(ppn) <= trimmed) return false;
    if (store_.pages.largest_page() > 1 && is_torn(ppn)) return false;
    return shared_ == nullptr || shared_->stored_version(lpn) == medium_.pages().version(ppn);
  }

  bool is_torn(Ppn ppn) const {
    const std::uint32_t first = number(layout_.first_page(layout_.block_of(ppn)));
    bool torn = false;
    DataSlots(layout_).each(layout_.position(ppn), medium_.pages().slots(ppn), [&](std::uint32_t position) {
      torn = torn || medium_.pages().lpn(Ppn{first + position}) == kTornLpn;
    });
    return torn;
  }

  // A row that only lacks its parity gets that first.
  void reopen(SuperblockId block) {
    FTLAB_DCHECK(medium_.superblocks().programmed(block) > 0, "an erased superblock is opened again");
    if (!is_filled(block)) {
      const std::uint32_t used = DataSlots(layout_).count_before(medium_.superblocks().programmed(block));
      if (!medium_.superblocks().pslc(block) && used < DataSlots(layout_).whole_rows(layout_.data_pages()))
        store_.supply.lose_room();
      return store_.blocks.close(block, store_.counts.pages_appended);
    }
    Frontier& frontier = store_.frontiers[medium_.superblocks().frontier(block)];
    const std::uint32_t parity = store_.writer.program_parity(frontier, Stage(0));
    store_.counts.parity_pages += parity;
    frontier.skip(parity);
  }

  const ScannedStore& store_;
  Medium& medium_;
  Layout layout_;
  std::uint32_t host_lpns_;
  bool reopens_;
  const Deduplication* shared_;
  std::vector<SuperblockId> written_;
  struct Found {
    Lpn lpn;
    Ppn ppn;
  };
  std::vector<Found> found_, sorted_;  // usable copies in one superblock
  std::vector<std::uint32_t> starts_;  // their number by part of the map, summed up
};

}  // namespace

void scan_at_power_on(const ScannedStore& store, std::uint32_t host_lpns, bool reopens, const Deduplication* shared) {
  PowerOnScan(store, host_lpns, reopens, shared).run();
}

}  // namespace ftlab
