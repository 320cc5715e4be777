#include "ftl/schemes/demand_map.h"

#include <algorithm>

namespace ftlab {

DemandMap::DemandMap(const MappingConfig& config, std::uint32_t frontier, std::uint32_t first_lpn, PageStore& store,
                     PageReader& reader, Collection& collection)
    : cache_(config.cache, first_lpn),
      host_memory_(config.host_memory_bytes / config.cache.page_bytes, config.translation_pages),
      whole_pages_(config.cache.whole_pages),
      frontier_(frontier),
      first_lpn_(first_lpn),
      store_(store),
      reader_(reader),
      collection_(collection),
      is_outdated_(config.translation_pages) {
  collection.record_moves(&moved_);
  if (host_memory_.there()) cache_.record_evictions(&evicted_);
}

void DemandMap::change(Lpn lpn, bool, Signal& known) {
  access(lpn, true, known);
  settle();
}

// With `keep` false the entry does not enter the cache, so that nothing has to be written back.
void DemandMap::look_up(Lpn lpn, bool keep, Signal& known) {
  if (keep) return access(lpn, false, known);
  if (!cache_.cached(number(lpn))) load(cache_.page_of(number(lpn)), known, true);
}

void DemandMap::access(Lpn lpn, bool update, Signal& known) {
  to_write_.clear();
  const MapCache::Work work = cache_.access(number(lpn), update, to_write_);
  write_back();
  if (work.load) load(work.load_page, known);
  for (const std::uint32_t page : evicted_) host_memory_.put(page);
  evicted_.clear();
}

// A translation page that was never written, or waits in RAM for its stripe, needs no read.
void DemandMap::load(std::uint32_t translation_page, Signal& data, bool keep_in_host) {
  const Ppn ppn = store_.pages().map().find(lpn_of(translation_page));
  if (ppn == kNoPpn || store_.pages().staged(ppn) || host_memory_.fetch(translation_page, keep_in_host)) return;
  ++pages_read_;
  reader_.read(ppn, data);
}

// Single entries leave the other entries of their translation page unchanged, so the page is read first.
void DemandMap::write_back() {
  std::vector<std::uint32_t> pages;
  pages.swap(to_write_);
  for (const std::uint32_t page : pages) {
    Signal data = kNoSignal;
    if (!whole_pages_) load(page, data);
    // Without room the drive is at its end of life, but the map in RAM is still valid.
    if (collection_.make_room(store_.frontiers()[frontier_], store_.pages().largest_page())) write(page, data);
  }
  pages.clear();
  to_write_.swap(pages);
}

// REQUIRES: the frontier has room.
void DemandMap::write(std::uint32_t translation_page, Signal data) {
  FTLAB_DCHECK(store_.frontiers()[frontier_].room() >= store_.pages().largest_page(), "no room for a translation page");
  const Lpn lpn = lpn_of(translation_page);
  const Frontier& frontier = store_.frontiers()[frontier_];
  const Ppn old = store_.pages().map().find(lpn);
  const std::uint32_t version = old == kNoPpn ? 0 : number(store_.pages().at(old).version);
  store_.append(frontier, lpn, Version{version + 1}, store_.pages().largest_page(), false, data);
  ++pages_written_;
}

void DemandMap::note_moves() {
  for (const Lpn lpn : moved_) {
    if (number(lpn) >= first_lpn_ || cache_.update_if_cached(number(lpn))) continue;
    const std::uint32_t page = cache_.page_of(number(lpn));
    if (is_outdated_[page]) continue;
    is_outdated_[page] = 1;
    outdated_.push_back(page);
  }
  moved_.clear();
}

std::uint32_t DemandMap::settle() {
  const Frontier& frontier = store_.frontiers()[frontier_];
  std::uint32_t written = 0;
  bool may_make_room = true;
  for (note_moves(); !outdated_.empty(); note_moves()) {
    if (!collection_.make_room(frontier, store_.pages().largest_page(), 0)) {
      if (!may_make_room) return written;
      may_make_room = false;
      collection_.make_room(frontier, store_.pages().largest_page(),
                            1);  // may move pages, which are noted before the next try
      continue;
    }
    const std::uint32_t page = outdated_.back();
    FTLAB_DCHECK(is_outdated_[page] == 1, "an up-to-date translation page is written again");
    outdated_.pop_back();
    is_outdated_[page] = 0;
    Signal data = kNoSignal;
    load(page, data);
    write(page, data);
    ++written;
  }
  return written;
}

SchemeCounts DemandMap::counts() const {
  SchemeCounts counts;
  counts.slots_written = pages_written_ * store_.pages().largest_page();
  counts.hits = cache_.counts().hits;
  counts.misses = cache_.counts().misses;
  counts.pages_read = pages_read_;
  counts.pages_from_host = host_memory_.fetched();
  return counts;
}

void DemandMap::archive(Archive& archive) {
  archive.section("demand map");
  cache_.archive(archive);
  archive.list(outdated_, is_outdated_.size());
  archive.column(is_outdated_);
  archive.list(moved_, std::uint64_t{1} << 28);  // a page may move more than once in a long idle time
  archive.value(pages_read_);
  archive.value(pages_written_);
  host_memory_.archive(archive);
}

}  // namespace ftlab
