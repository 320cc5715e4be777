#include "ftl/layer/ftl.h"

#include <algorithm>

namespace ftlab {

Ftl::Ftl(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, WorkList& work, std::uint64_t seed,
         BadBlockTable* health, MediaErrors* errors, Deduplication* shared)
    : config_(config),
      logical_pages_(logical_pages),
      shared_(shared),
      refresh_(config.refresh, medium.layout().superblocks(), config.pool_count()),
      store_(config, logical_pages, medium, work, health, errors, shared),
      reader_(medium, store_.blocks(), work, errors, refresh_, logical_pages, store_.largest_page()),
      scan_(store_, refresh_),
      placement_(config.placement, config.separate_relocation, logical_pages),
      held_(config.buffer.coalescing_pages),
      trims_(config.trim.mode == TrimConfig::Mode::deferred ? logical_pages : 0, config.trim.waiting_ranges),
      trim_records_(config.trim.record_bytes, config.slot_bytes()),
      newest_version_(number(store_.newest_version())) {
  make_parts(seed, work);
  direct_ = writes_directly();
  if (shared_ == nullptr) return;
  FTLAB_CHECK(shared_->pages() == logical_pages_, "contents are shared among the pages of another drive");
  newest_version_ = std::max(newest_version_, number(shared_->newest_version()));
  if (health != nullptr) drop_unsaved_contents();
}

// At the end of life data in RAM may find no slot, and are lost with the power. What had them is as if it was trimmed.
void Ftl::drop_unsaved_contents() {
  for (std::uint32_t l = 0; l < logical_pages_; ++l) {
    const Lpn content = shared_->content_of(Lpn{l});
    if (content != kNoLpn && store_.map().find(content) == kNoPpn) shared_->drop(Lpn{l});
  }
}

void Ftl::make_parts(std::uint64_t seed, WorkList& work) {
  if (config_.mapping.hybrid()) {
    logs_ = std::make_unique<LogBlocks>(config_.mapping, logical_pages_, store_, reader_);
    return;
  }
  const Relocation::Parts parts{store_, reader_, refresh_, work, placement_};
  relocations_.reserve(config_.pool_count());  // they know one another
  for (std::uint32_t pool = 0; pool < config_.pool_count(); ++pool) {
    relocations_.emplace_back(config_, pool, parts, RandomStream(seed, "collection " + std::to_string(pool)));
    if (config_.is_slc_pool(pool)) relocations_.back().fold_into(relocations_.front());
  }
  if (config_.mapping.translation_pages > 0) {
    demand_ = std::make_unique<DemandMap>(config_.mapping, config_.translation_frontier(), logical_pages_, store_, reader_,
                                          relocations_.front());
  }
  if (config_.mapping.scheme == MappingConfig::Scheme::extent) {
    extents_ =
        std::make_unique<Extents>(config_.mapping.extents, config_.extent_frontier(), store_, reader_, relocations_.front());
  }
}

Version Ftl::next_version() {
  if (newest_version_ >= config_.most_versions) [[unlikely]]
    renumber_versions();  // 2^32 page writes: 16 TiB of 4 KiB pages
  return Version{++newest_version_};
}

// Nothing is to be known of a page but its number: it takes one slot, shares its content with none, and the mapping costs
// nothing to change.
bool Ftl::writes_directly() const {
  return !config_.compression.on() && !config_.buffer.coalesce && shared_ == nullptr && !demand_ && !extents_ && !logs_ &&
         config_.slc.superblocks == 0 && !placement_.needs_old_version();
}

// As append_whole(), for the pages that most runs consist of.
bool Ftl::append_directly(Lpn lpn, std::uint8_t stream) {
  const Version version = next_version();
  const Frontier& frontier = store_.frontier(placement_.of_host(lpn, stream, Version{0}, version));
  Relocation& relocation = relocations_[frontier.plan().pool];
  relocation.step();
  if (!relocation.make_room(frontier, 1)) [[unlikely]] {
    read_only_ = true;
    return false;
  }
  ++counts_.host_pages;
  ++counts_.host_slots;
  store_.overwrite(frontier, lpn, version);
  return true;
}

bool Ftl::write_buffered(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, const WriteHints& hints) {
  FTLAB_DCHECK(first_byte < end_byte && end_byte <= config_.mapping_bytes && number(lpn) < logical_pages_,
               "bytes are written that no page has");
  if (read_only()) return false;
  const CoalescedPage page{lpn, next_version(), first_byte, end_byte, 0, hints.stream, hints.stored, hints.fingerprint};
  const bool trimmed = trims_.pending(lpn);
  trims_.call_back(lpn);
  if (take_in(page)) return true;
  if (trimmed && version(lpn) != page.version) trims_.add(lpn, 1);  // what is refused brings nothing back
  return false;
}

bool Ftl::take_in(const CoalescedPage& page) {
  const bool whole = page.whole(config_.mapping_bytes);
  if (whole && !config_.buffer.coalesce) return held_.empty() ? append_whole(page) : overwrite_coalesced(page);
  bool coalesced = false;
  const CoalescedPage& kept = held_.merge(page, coalesced);
  counts_.coalesced_pages += coalesced;
  if (!config_.buffer.coalesce && kept.whole(config_.mapping_bytes)) return append_or_coalesce(*held_.take(page.lpn));
  return !held_.over_capacity() || append_coalesced(held_.take_oldest());
}

// What the host did not write of the page comes from its old content, if there is any.
bool Ftl::append_coalesced(const CoalescedPage& page) {
  if (trims_.pending(page.lpn)) {  // trimmed after it was written: the trim is carried out here
    trims_.call_back(page.lpn);
    Signal known = kNoSignal;  // nobody waits for the mapping entry
    trim_now(page.lpn, known);
    return true;
  }
  CoalescedPage completed = page;
  Signal data = kNoSignal;
  complete(completed, data);
  const bool lost = rest_is_lost(page);
  if (!append_whole(completed, data)) {
    bool there;
    held_.merge(page, there);
    return false;
  }
  if (lost) store_.mark_lost(ppn_of(page.lpn));
  count_filled(completed);
  return true;
}

void Ftl::count_filled(const CoalescedPage& page) {
  const std::uint64_t filled = config_.mapping_bytes - (page.end_byte - page.first_byte);
  counts_.filled_bytes += filled * slots_of(page.stored) / config_.slots_per_page();
}

// What is kept of a page compresses as both writes do, each by its length.
std::uint16_t Ftl::stored_when_complete(const CoalescedPage& page) const {
  const Ppn old = ppn_of(page.lpn);
  const std::uint32_t rest = old == kNoPpn ? 0 : store_.slots_at(old) * 1000 / config_.slots_per_page();
  const std::uint64_t bytes = page.end_byte - page.first_byte;
  return static_cast<std::uint16_t>((bytes * page.stored + (config_.mapping_bytes - bytes) * rest) / config_.mapping_bytes);
}

// The page replaces what is held of it, unless the drive refuses it.
bool Ftl::overwrite_coalesced(const CoalescedPage& page) {
  const std::optional<CoalescedPage> older = held_.take(page.lpn);
  if (append_whole(page)) return true;
  bool there;
  if (older) held_.merge(*older, there);
  return false;
}

// What was acknowledged stays readable from RAM when the drive takes no more.
bool Ftl::append_or_coalesce(const CoalescedPage& page) {
  if (append_whole(page)) return true;
  bool there;
  held_.merge(page, there);
  return false;
}

void Ftl::complete(CoalescedPage& page, Signal& data) {
  const Ppn old = ppn_of(page.lpn);
  if (config_.compression.on()) page.stored = stored_when_complete(page);
  if (page.whole(config_.mapping_bytes) || old == kNoPpn || store_.staged(old)) return;
  ++counts_.read_modify_writes;
  reader_.read(old, data);
}

bool Ftl::append_whole(const CoalescedPage& page, Signal data) {
  if (!trims_.empty()) execute_trims(config_.trim.pages_per_host_write);
  if (shared_ != nullptr && share(page)) [[unlikely]]
    return true;
  if (demand_) {
    demand_->access(page.lpn, true, data);
    demand_->settle();
  }
  if (extents_) extents_->make_room();
  const Frontier* frontier = logs_ ? logs_->frontier_for(page.lpn) : host_frontier(page);
  if (frontier == nullptr) {
    read_only_ = true;
    return false;
  }
  put(*frontier, page, data);
  return true;
}

// Of a content that is stored already the page only takes note. One that is known to be lost is no longer shared: here are
// its data anew, for this page.
bool Ftl::share(const CoalescedPage& page) {
  FTLAB_DCHECK(shared_ != nullptr, "a content is shared on a drive that does not");
  const Lpn content = shared_->find(page.fingerprint);
  if (content == kNoLpn) return false;
  if (store_.lost(store_.map().find(content))) {
    shared_->forget(content);
    return false;
  }
  release(shared_->share(page.lpn, content, page.version));
  return true;
}

// Nothing keeps the content any more.
void Ftl::release(Lpn content) {
  if (content != kNoLpn) store_.unmap(content);
}

void Ftl::unmap(Lpn lpn) {
  if (shared_ != nullptr) return release(shared_->drop(lpn));
  store_.unmap(lpn);
}

// REQUIRES: room behind the frontier.
void Ftl::put(const Frontier& frontier, const CoalescedPage& page, Signal data) {
  FTLAB_DCHECK(frontier.room() >= slots_of(page.stored),
               "frontier " + std::to_string(frontier.number()) + " has too little room");
  const std::uint32_t slots = slots_of(page.stored);
  const Lpn lpn = shared_ != nullptr ? shared_->store(page.lpn, page.fingerprint, page.version) : page.lpn;
  store_.invalidate(lpn);
  ++counts_.host_pages;
  counts_.host_slots += slots;
  store_.append(frontier, lpn, page.version, slots, true, data);
}

// Behind the frontier that placement says, after its share of collection; while the pSLC cache has room, behind that one.
const Frontier* Ftl::host_frontier(const CoalescedPage& page) {
  if (config_.slc.superblocks > 0) {
    const Frontier& slc = store_.frontier(config_.slc_frontier());
    if (!config_.slc.folds_late) relocations_[1].step();
    const std::uint32_t slots = slots_of(page.stored);
    const bool room = slc.room() >= slots || store_.blocks().free().count(1) > 0;
    if (room || !config_.slc.direct_when_full) return relocations_[1].make_room(slc, slots) ? &slc : nullptr;
  }
  Version old{0};
  if (placement_.needs_old_version()) {
    const Ppn ppn = ppn_of(page.lpn);
    if (ppn != kNoPpn) old = store_.version_at(ppn);
  }
  const Frontier& frontier =
      store_.frontier(placement_.of_host(page.lpn, static_cast<std::uint8_t>(page.stream), old, page.version));
  Relocation& relocation = relocations_[frontier.plan().pool];
  relocation.step();
  return relocation.make_room(frontier, slots_of(page.stored)) ? &frontier : nullptr;
}

Signal Ftl::trim(Lpn first, std::uint32_t pages) {
  FTLAB_DCHECK(pages == 0 || number(first) + std::uint64_t{pages} <= logical_pages_, "pages are trimmed that there are not");
  Signal known = kNoSignal;
  if (config_.trim.mode == TrimConfig::Mode::off || pages == 0) return known;
  if (trims_.full()) return known;  // a hint that the drive need not follow
  keep_on_record(first, pages);
  if (config_.trim.record_bytes > 0) write_trim_record();
  if (config_.trim.mode == TrimConfig::Mode::deferred) {
    trims_.add(first, pages);
    return known;
  }
  for (std::uint32_t lpn = number(first); lpn < number(first) + pages; ++lpn) trim_now(Lpn{lpn}, known);
  return known;
}

// What is not mapped has no copy that could come back. With deduplication the record of the contents says it.
void Ftl::keep_on_record(Lpn first, std::uint32_t pages) {
  if (shared_ != nullptr) return;
  for (std::uint32_t i = 0; i < pages; ++i) {
    const Lpn lpn{number(first) + i};
    if (store_.map().find(lpn) != kNoPpn) store_.record_trim(lpn, Version{newest_version_});
  }
}

// Records fill a slot behind the host's first frontier; nobody asks for them once the map is saved, so that the slot is
// stale from the start.
void Ftl::write_trim_record() {
  for (std::uint32_t full = trim_records_.add(); full > 0; --full) {
    const Frontier& frontier = store_.frontier(0);
    Relocation& relocation = relocations_[frontier.plan().pool];
    relocation.step();
    if (!relocation.make_room(frontier, 1)) continue;
    store_.pad_one(frontier);
    trim_records_.count_written();
  }
}

void Ftl::trim_now(Lpn lpn, Signal& known) {
  if (!held_.empty()) held_.take(lpn);
  if (ppn_of(lpn) == kNoPpn) return;
  if (demand_) {
    demand_->access(lpn, true, known);
    demand_->settle();
  }
  unmap(lpn);
  ++counts_.trimmed_pages;
}

void Ftl::execute_trims(std::uint32_t pages) {
  Signal known = kNoSignal;  // nobody waits for the mapping entries
  for (std::uint32_t done = 0; done < pages; ++done) {
    const Lpn lpn = trims_.take();
    if (lpn == kNoLpn) return;
    trim_now(lpn, known);
  }
}

void Ftl::flush() {
  while (!held_.empty() && !read_only()) {
    const CoalescedPage page = held_.take_oldest();
    if (!append_coalesced(page)) break;
  }
  if (read_only()) save_coalesced();
  for (std::uint32_t f = 0; f < store_.frontiers().size(); ++f) {
    const Frontier& frontier = store_.frontier(f);
    if (frontier.staged_host_pages() == 0) continue;
    if (!logs_) relocations_[frontier.plan().pool].prepare_padding(frontier);
    store_.pad(frontier);
  }
}

void Ftl::save() {
  if (shared_ != nullptr) execute_trims(~std::uint32_t{0});
  flush();
}

// At the end of life: what was acknowledged goes wherever there is room, the reserve included, which nothing else takes now.
void Ftl::save_coalesced() {
  while (!held_.empty()) {
    const CoalescedPage page = held_.take_oldest();
    if (trims_.pending(page.lpn)) {
      trims_.call_back(page.lpn);
      unmap(page.lpn);
      continue;
    }
    CoalescedPage completed = page;
    Signal data = kNoSignal;
    complete(completed, data);
    const bool lost = rest_is_lost(page);
    if (shared_ != nullptr && share(completed)) continue;
    const Frontier* const frontier = store_.last_room(slots_of(completed.stored));
    if (frontier == nullptr) {
      bool there;
      held_.merge(page, there);
      return;
    }
    count_filled(completed);
    put(*frontier, completed, data);
    if (lost) store_.mark_lost(ppn_of(page.lpn));
  }
}

bool Ftl::all_in_flash() const {
  const auto& frontiers = store_.frontiers();
  return held_.empty() && std::none_of(frontiers.begin(), frontiers.end(),
                                       [](const Frontier& frontier) { return frontier.staged_host_pages() > 0; });
}

void Ftl::begin_idle_time() {
  while (!trims_.empty()) execute_trims(~std::uint32_t{0});
}

void Ftl::end_idle_time() {
  if (demand_) demand_->settle();
}

// Of a page that the host has written in part: its other part cannot be had from the old content.
bool Ftl::rest_is_lost(const CoalescedPage& page) const {
  if (!store_.can_err() || page.whole(config_.mapping_bytes)) return false;
  const Ppn old = ppn_of(page.lpn);
  return old != kNoPpn && store_.lost(old);
}

bool Ftl::lost(Lpn lpn) const {
  const CoalescedPage* const held = held_.empty() ? nullptr : held_.find(lpn);
  if (held != nullptr && held->whole(config_.mapping_bytes)) return false;
  const Ppn ppn = ppn_of(lpn);
  return ppn != kNoPpn && store_.lost(ppn);
}

void Ftl::refresh_some() {
  for (Relocation& relocation : relocations_) relocation.refresh_some(refresh_.config().pages_per_request);
  if (demand_) demand_->settle();
}

// With pages that wait in RAM for their rest, and trims that are not carried out.
Ftl::Found Ftl::find_in_buffer(Lpn lpn) const {
  if (trims_.pending(lpn) && !config_.trim.reads_old_data) return {Found::Where::unmapped};
  const Ppn ppn = ppn_of(lpn);
  const bool held = !held_.empty() && held_.find(lpn) != nullptr;
  if (ppn == kNoPpn) return {held ? Found::Where::ram : Found::Where::unmapped};
  return {held && held_.find(lpn)->whole(config_.mapping_bytes) ? Found::Where::ram
          : store_.staged(ppn)                                  ? Found::Where::ram
                                                                : Found::Where::flash,
          ppn};
}

Version Ftl::version(Lpn lpn) const {
  if (trims_.pending(lpn) && !config_.trim.reads_old_data) return Version{0};
  const CoalescedPage* held = held_.empty() ? nullptr : held_.find(lpn);
  if (held != nullptr) return held->version;
  const Ppn ppn = ppn_of(lpn);
  const Version stored = ppn == kNoPpn ? Version{0} : store_.version_at(ppn);
  return shared_ == nullptr || ppn == kNoPpn ? stored : shared_version(lpn, stored);
}

// That of the page's own write, as far as the flash holds the content that its pages share.
Version Ftl::shared_version(Lpn lpn, Version stored) const {
  return stored == shared_->stored_version(shared_->content_of(lpn)) ? shared_->version(lpn) : stored;
}

Version Ftl::stored_version(Lpn lpn) const {
  const Ppn ppn = ppn_of(lpn);
  return ppn == kNoPpn ? Version{0} : store_.version_at(ppn);
}

std::uint64_t Ftl::relocated_pages(RelocationCause cause) const {
  std::uint64_t pages = logs_ && cause == RelocationCause::collection ? logs_->copied_pages() : 0;
  for (const Relocation& relocation : relocations_) pages += relocation.relocated_pages(cause);
  return pages;
}

std::uint64_t Ftl::relocated_slots(RelocationCause cause) const {
  std::uint64_t slots = logs_ && cause == RelocationCause::collection ? logs_->copied_pages() : 0;
  for (const Relocation& relocation : relocations_) slots += relocation.relocated_slots(cause);
  return slots;
}

std::uint64_t Ftl::copyback_pages() const {
  std::uint64_t pages = 0;
  for (const Relocation& relocation : relocations_) pages += relocation.copyback_pages();
  return pages;
}

std::uint64_t Ftl::collected() const {
  std::uint64_t superblocks = 0;
  for (const Relocation& relocation : relocations_) superblocks += relocation.collected();
  if (logs_) superblocks += logs_->switch_merges() + logs_->partial_merges() + logs_->full_merges();
  return superblocks;
}

std::uint64_t Ftl::mapping_slots() const {
  const std::uint64_t written = demand_ ? demand_->pages_written() * config_.slots_per_page() : 0;
  return relocated_slots(RelocationCause::mapping) + written + (extents_ ? extents_->pages_rewritten() : 0) +
         trim_records_.slots_written();
}

}  // namespace ftlab
