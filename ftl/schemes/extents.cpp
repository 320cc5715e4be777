#include "ftl/schemes/extents.h"

#include <algorithm>

namespace ftlab {

Extents::Extents(const ExtentConfig& config, std::uint32_t frontier, PageStore& store, PageReader& reader,
                 Collection& collection)
    : config_(config),
      frontier_(frontier),
      store_(store),
      reader_(reader),
      collection_(collection),
      least_(store.pages().map().regions()) {
  for (std::uint32_t region = 0; region < store.pages().map().regions(); ++region) least_[region] = 1;
}

void Extents::make_room() {
  constexpr std::uint64_t kSplit = 2;  // a page written into the middle of an extent leaves three
  const std::uint64_t used_thousands = (store_.pages().map().extents() + kSplit) * 1000;
  if (used_thousands >= config_.entries * config_.start_permille) defragmenting_ = true;
  if (used_thousands < config_.entries * config_.stop_permille) defragmenting_ = false;
  if (!defragmenting_) return;
  if (config_.pages_per_host_write > 0) rewrite_some(config_.pages_per_host_write);
  // Rewriting needs room, and making room splits extents of other regions. If a whole region brought no net gain, more of
  // them would not either, and the loop would never end: the host then continues over budget.
  std::uint64_t before = store_.pages().map().extents();
  for (std::uint64_t rewritten = regions_rewritten_; store_.pages().map().extents() + kSplit > config_.entries;) {
    const bool gains = rewrite_some(store_.medium().layout().pages_per_stripe()) &&
                       (regions_rewritten_ == rewritten || store_.pages().map().extents() < before);
    if (!gains) {
      ++over_budget_;
      return;
    }
    if (regions_rewritten_ == rewritten) continue;
    rewritten = regions_rewritten_;
    before = store_.pages().map().extents();
  }
}

// Chooses the region whose rewriting can save most entries, the first one of equals. Costs a pass over all regions per
// rewritten region. The compiler vectorises the plain loop over two columns: 4 regions at a time.
bool Extents::choose_region() {
  const std::uint32_t* const extents = store_.pages().map().extents_by_region();
  const std::uint32_t* const least = &least_[0];
  const std::uint32_t regions = store_.pages().map().regions();
  std::int32_t most = 0;
  for (std::uint32_t region = 0; region < regions; ++region) {
    most = std::max(most, static_cast<std::int32_t>(extents[region] - least[region]));
  }
  if (most == 0) return false;
  region_ = 0;
  while (static_cast<std::int32_t>(extents[region_] - least[region_]) != most) ++region_;
  next_ = region_begin();
  return true;
}

std::uint32_t Extents::region_end() const {
  const std::uint64_t end = (std::uint64_t{region_} + 1) * store_.pages().map().region_pages();
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(end, store_.pages().map().lpns()));
}

// False if no entry can be saved or no room can be made.
bool Extents::rewrite_some(std::uint32_t pages) {
  for (std::uint32_t moved = 0; moved < pages;) {
    if (region_ == kNone && !choose_region()) return false;
    if (next_ == region_end()) {
      least_[region_] = std::max(store_.pages().map().extents_of(region_), 1u);
      region_ = kNone;
      ++regions_rewritten_;
      return true;
    }
    const Frontier& frontier = store_.frontiers()[frontier_];
    if (!collection_.make_room(frontier, 1)) return false;
    moved += rewrite_run(store_.stages()[frontier_].room());
  }
  return true;
}

// Fills the page at next_ as if it had been written once, with zeros. Version 0 means no write, so that a trimmed content
// which returns after a power cut takes precedence.
void Extents::fill_hole(const Frontier& frontier) {
  FTLAB_DCHECK(store_.pages().map().find(Lpn{next_}) == kNoPpn && frontier.has_room(),
               "a hole is filled that is none, or without room");
  store_.append(frontier, Lpn{next_}, Version{0}, 1, false);
  ++pages_rewritten_;
}

// Moves at most `most` logical pages whose content is read by one operation of the flash, within the room of the frontier's
// superblock. Pages that wait in RAM need no read; unmapped ones are filled or skipped.
std::uint32_t Extents::rewrite_run(std::uint32_t most) {
  const Frontier& frontier = store_.frontiers()[frontier_];
  const Layout& layout = store_.medium().layout();
  most = std::min(most, frontier.room());
  std::uint32_t moved = 0;
  Ppn last = kNoPpn;
  Signal data = kNoSignal;  // signal of all reads below
  for (; moved < most && next_ < region_end(); ++next_) {
    const Ppn ppn = store_.pages().map().find(Lpn{next_});
    if (ppn == kNoPpn) {
      if (!config_.fill_holes) continue;
      fill_hole(frontier);
      ++moved;
      continue;
    }
    const bool same_stripe =
        last != kNoPpn && number(ppn) / layout.pages_per_stripe() == number(last) / layout.pages_per_stripe();
    if (!store_.pages().staged(ppn)) same_stripe ? reader_.read_with_neighbour(ppn, data) : reader_.read(ppn, data);
    last = ppn;
    const Version version = store_.pages().at(ppn).version;
    const bool lost = store_.pages().lost(ppn);
    store_.append(frontier, Lpn{next_}, version, 1, false, data, lost);
    ++moved;
    ++pages_rewritten_;
  }
  return moved;
}

}  // namespace ftlab
