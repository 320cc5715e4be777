#include "ftl/schemes/zoned_map.h"

#include <algorithm>
#include <utility>

namespace ftlab {

ZonedMap::ZonedMap(const FtlConfig& config, PageStore& store, PageReader& reader)
    : config_(config.mapping.zones),
      zone_pages_(static_cast<std::uint32_t>(config_.zone_bytes / config.mapping_bytes)),
      pages_(store.medium().layout().data_pages()),
      store_(store),
      reader_(reader),
      blocks_(std::size_t{config_.count} * config_.superblocks, kNone),
      owners_(store.frontiers().size(), kNone) {
  recover();
}

const Frontier* ZonedMap::frontier_of(std::uint32_t zone) const {
  const auto found = std::ranges::find(owners_, zone);
  return found == owners_.end() ? nullptr : &store_.frontiers()[static_cast<std::size_t>(found - owners_.begin())];
}

const Frontier* ZonedMap::frontier_for(Lpn lpn) {
  const std::uint32_t zone = number(lpn) / zone_pages_, at = number(lpn) % zone_pages_;
  FTLAB_DCHECK(at < config_.superblocks * pages_, "page " + std::to_string(number(lpn)) + " lies between two zones");
  const Frontier* frontier = frontier_of(zone);
  if (frontier == nullptr || !frontier->has_room()) {
    if (store_.blocks().free().count() == 0) return nullptr;
    if (frontier == nullptr) frontier = frontier_of(kNone);
    FTLAB_CHECK(frontier != nullptr, "more zones are written than may be active");
    owners_[frontier->number()] = zone;
    begin_superblock(*frontier, lpn);
  }
  if (at + 1 == config_.superblocks * pages_) owners_[frontier->number()] = kNone;  // the page fills the zone
  return frontier;
}

// Opens the superblock that takes the page. Earlier pages of the zone that belong there are those of a superblock that a
// power cut closed.
void ZonedMap::begin_superblock(const Frontier& frontier, Lpn lpn) {
  store_.open(frontier, false);
  const std::uint32_t zone = number(lpn) / zone_pages_, at = number(lpn) % zone_pages_;
  std::uint32_t& block = blocks_[zone * config_.superblocks + at / pages_];
  const std::uint32_t old = block;
  block = number(frontier.block());
  for (std::uint32_t before = at % pages_; before > 0; --before) {
    const Lpn copied{number(lpn) - before};
    const Ppn ppn = store_.pages().map().find(copied);
    FTLAB_CHECK(ppn != kNoPpn, "page " + std::to_string(number(copied)) + " lies before a write pointer, but has no data");
    Signal data = kNoSignal;
    reader_.read(ppn, data);
    store_.append(frontier, copied, store_.pages().at(ppn).version, 1, false, data);
    ++copied_pages_;
  }
  if (old != kNone) discard(old);
}

void ZonedMap::stop_writing(std::uint32_t zone) {
  const Frontier* const frontier = frontier_of(zone);
  if (frontier == nullptr) return;
  if (frontier->has_room()) store_.close_early(*frontier);
  owners_[frontier->number()] = kNone;
}

void ZonedMap::trimmed(Lpn first, std::uint32_t pages) {
  const std::uint32_t zone = number(first) / zone_pages_, at = number(first) % zone_pages_;
  FTLAB_CHECK(at + pages == config_.superblocks * pages_, "a part of a zone is trimmed");
  stop_writing(zone);
  if (at > 0) return;
  for (std::uint32_t i = zone * config_.superblocks; i < (zone + 1) * config_.superblocks; ++i)
    if (blocks_[i] != kNone) discard(std::exchange(blocks_[i], kNone));
}

// REQUIRES: the superblock is closed and has no valid pages.
void ZonedMap::discard(std::uint32_t block) {
  FTLAB_DCHECK(store_.blocks().valid(SuperblockId{block}) == 0, "a superblock of a zone is erased with current pages");
  store_.start_collecting(SuperblockId{block});
  store_.reclaim(SuperblockId{block});
}

// The power-on scan has reopened partly written superblocks. One that ends with padding is closed: its zone continues in
// another. Superblocks without valid pages belong to zones that were reset.
void ZonedMap::recover() {
  for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
    const Ppn ppn = store_.pages().map().find(first_page(i));
    if (ppn != kNoPpn) blocks_[i] = number(store_.medium().layout().block_of(ppn));
  }
  for (const Frontier& frontier : store_.frontiers()) {
    if (!frontier.has_room()) continue;
    const auto found = std::ranges::find(blocks_.view(), number(frontier.block()));
    const auto i = static_cast<std::uint32_t>(found - blocks_.view().begin());
    const Ppn last{number(store_.medium().layout().first_page(frontier.block())) + frontier.next() - 1};
    if (i < blocks_.size() && store_.pages().map().find(Lpn{number(first_page(i)) + frontier.next() - 1}) == last)
      owners_[frontier.number()] = i / config_.superblocks;
    else
      store_.close_early(frontier);
  }
  for (SuperblockId block = store_.blocks().closed().oldest(0); block != kNoBlock;) {
    const SuperblockId next = store_.blocks().closed().next_younger(block);
    if (store_.blocks().valid(block) == 0) discard(number(block));
    block = next;
  }
}

}  // namespace ftlab
