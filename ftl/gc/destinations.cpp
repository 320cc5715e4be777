#include "ftl/gc/destinations.h"

#include <algorithm>

#include "ftl/gc/relocate.h"

namespace ftlab {

Destinations::Destinations(const FtlConfig& config, std::uint32_t pool, PageStore& store, const Placement& placement)
    : store_(store),
      placement_(placement),
      pool_(pool),
      translation_frontier_(config.translation_frontier()),
      host_lpns_(store.pages().map().lpns() - config.mapping.translation_pages) {}

bool Destinations::begin(SuperblockId victim) {
  const std::uint32_t from = store_.medium().superblocks().frontier(victim);
  if (from == translation_frontier_)
    fixed_class_ = translation_frontier_;
  else if (placement_.by_superblock())
    fixed_class_ = placement_.of_relocated(Lpn{0}, Version{0}, Version{0}, from);
  return from == translation_frontier_;
}

std::uint32_t Destinations::pages_to_fold(const Frontier& frontier) const {
  FTLAB_DCHECK(other_ != nullptr, "pages are folded that have no other pool");
  return store_.erases().one_may_fail() ? 1 : std::max(other_->pages_that_fit(frontier), 1u);
}

std::uint32_t Destinations::class_of_page(SuperblockId victim, std::uint32_t position) const {
  const Medium& medium = store_.medium();
  const Ppn ppn{number(medium.layout().first_page(victim)) + position};
  const Lpn lpn = medium.pages().lpn(ppn);
  FTLAB_DCHECK(lpn != kNoLpn, "a slot is moved that carries no page");
  if (number(lpn) >= host_lpns_) return translation_frontier_;  // its own frontier had no room once
  return placement_.of_relocated(lpn, medium.pages().version(ppn), store_.pages().newest_version(),
                                 medium.superblocks().frontier(victim));
}

std::uint32_t Destinations::end_of_class(SuperblockId victim, std::span<const std::uint32_t> pages, std::uint32_t first,
                                         std::uint32_t wanted) const {
  if (has_one_class(victim)) return static_cast<std::uint32_t>(pages.size());
  FTLAB_DCHECK(first < pages.size(), "a class of pages begins behind the last one");
  while (++first < pages.size() && class_of(victim, pages[first]) == wanted) {
  }
  return first;
}

// Invariant: the free superblocks, the superblocks pending erase and the room at the frontiers together can hold the rest of
// the victim. When the frontier of a page's class is full and no superblock is free, the page may go to any frontier:
//   - A victim is started while at least one superblock is free or pending erase; that one alone could hold all of it.
//   - Each page takes one slot, and no slot that is needed goes elsewhere (Relocation::host_may_write, prepare_padding).
//   - Superblocks pending erase become free when pages complete the stages they wait for, without any padding.
// After a power cut there may be no such superblock, but then the emptiest one (VictimChoice) holds no more pages than were
// lost from RAM, and the lost pages left as many slots at the frontiers.
const Frontier* Destinations::make_room(const Frontier& own, std::uint32_t slots) {
  FTLAB_DCHECK(slots > 0, "room for no page");
  const std::uint32_t wanted = own.number();
  const SuperblockSupply& supply = store_.supply();
  if (supply.worn_out()) return nullptr;
  if (other_ != nullptr) return other_->make_room(own, slots) ? &own : nullptr;
  if (own.room() >= slots) return &own;
  while (!supply.can_open(own) && store_.erases().waiting(pool_) > 0) {
    const Frontier& oldest = *store_.erases().oldest_staged(pool_);
    if (may_take(oldest, wanted, slots)) return &oldest;
    fill_stripe(store_, oldest);  // uses no room that the page could use
    if (supply.worn_out()) return nullptr;
  }
  if (own.has_room() && supply.can_open(own)) {  // too little for the page
    store_.close_early(own);
    if (supply.worn_out()) return nullptr;
    if (own.room() >= slots) return &own;  // its program failed, and it continues in another superblock
  }
  if (supply.can_open(own)) {
    store_.open(own, own.plan().always_pslc);
    return &own;
  }
  const auto takes = [&](const Frontier& frontier) { return may_take(frontier, wanted, slots); };
  const auto other = std::ranges::find_if(store_.frontiers(), takes);
  if (other != store_.frontiers().end()) return &*other;
  FTLAB_CHECK(supply.may_lack_room(), "no room for relocated pages in pool " + std::to_string(pool_));
  return nullptr;
}

}  // namespace ftlab
