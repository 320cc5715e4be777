#include "ftl/layer/ftl.h"

#include <algorithm>
#include <optional>

namespace ftlab {

// direct_: only a page's number matters. It takes one slot, shares its content with no other page, and changing the
// mapping is free.
Ftl::Ftl(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, WorkList& work, std::uint64_t seed,
         BadBlockTable* health, MediaErrors* errors, Deduplication* shared)
    : config_(config),
      refresh_(config.refresh, medium.layout().superblocks(), config.pool_count()),
      store_(config, logical_pages, medium, work, health, errors, shared),
      reader_(medium, store_.blocks(), work, errors, refresh_, logical_pages, store_.pages().largest_page()),
      collection_(config, logical_pages, store_, reader_, refresh_, work, seed),
      scheme_(make_mapping_scheme(config, logical_pages, store_, reader_, collection_, work)),
      contents_(shared),
      held_(config.buffer.coalescing_pages),
      trims_(config.trim.mode == TrimConfig::Mode::deferred ? logical_pages : 0, config.trim.waiting_ranges),
      trim_records_(config.trim.record_bytes, config.slot_bytes()),
      versions_(std::max(store_.pages().newest_version(), contents_.newest_version()), config.most_versions),
      direct_(!config.compression.on() && !config.buffer.coalesce && shared == nullptr && config.mapping.all_in_ram() &&
              config.slc.superblocks == 0 && !collection_.needs_replaced_version()) {
  FTLAB_CHECK(shared == nullptr || shared->pages() == logical_pages, "contents are shared among the pages of another drive");
  if (health != nullptr) contents_.drop_unless([this](Lpn content) { return store_.pages().map().find(content) != kNoPpn; });
}

// Translation pages keep their own versions, which count their writes.
void Ftl::renumber_versions() {
  const auto replace = [this](const VersionNumbers::NumberOf& number_of) {
    const auto of_host = [&](Lpn lpn, Version version) {
      return number(lpn) < logical_pages() ? number_of(version) : version;
    };
    store_.renumber(of_host);
    held_.renumber(of_host);
    contents_.renumber(of_host);
  };
  collection_.versions_reduced_by(versions_.renumber(replace));
}

// Fast path of append_whole(), sufficient in most runs.
std::uint32_t Ftl::append_directly(Lpn lpn, std::uint8_t stream, std::uint32_t pages) {
  FTLAB_DCHECK(number(lpn) + pages <= logical_pages(), "pages are written that the drive has not");
  const Version version = next_version();
  const Frontier* const frontier = collection_.frontier_for(
      lpn, stream, [] { return kNoPpn; }, version, 1, pages > 1 ? &pages : nullptr);
  if (frontier == nullptr) [[unlikely]] {
    read_only_ = true;
    return 0;
  }
  pages = std::min(pages, 1 + versions_.left());
  versions_.skip(pages - 1);
  store_.append(*frontier, lpn, version, 1, true, kNoSignal, false, pages);
  counts_.host_pages += pages;
  counts_.host_slots += pages;
  return pages;
}

bool Ftl::write_buffered(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, const WriteHints& hints) {
  FTLAB_DCHECK(first_byte < end_byte && end_byte <= config_.mapping_bytes && number(lpn) < logical_pages(),
               "bytes are written that no page has");
  if (read_only()) return false;
  const CoalescedPage page{lpn, next_version(), first_byte, end_byte, 0, hints.stream, hints.stored, hints.fingerprint};
  const bool trimmed = trims_.pending(lpn);
  trims_.cancel(lpn);
  if (buffer_or_append(page)) return true;
  if (trimmed && pages().version(lpn) != page.version) trims_.add(lpn, 1);  // a refused write does not revive the page
  return false;
}

// A whole page replaces the held part, unless the drive refuses it. A page that became whole here was acknowledged, so it
// stays readable from RAM if the drive refuses it.
bool Ftl::buffer_or_append(const CoalescedPage& page) {
  bool coalesced = false;
  if (config_.buffer.coalesce || !page.whole(config_.mapping_bytes)) {
    const CoalescedPage& kept = held_.merge(page, coalesced);
    counts_.coalesced_pages += coalesced;
    if (config_.buffer.coalesce || !kept.whole(config_.mapping_bytes))
      return !held_.over_capacity() || append_coalesced(held_.take_oldest());
    const CoalescedPage whole = *held_.take(page.lpn);
    if (append_whole(whole)) return true;
    held_.merge(whole, coalesced);
    return false;
  }
  const std::optional<CoalescedPage> older = held_.take(page.lpn);
  if (append_whole(page)) return true;
  if (older) held_.merge(*older, coalesced);
  return false;
}

// Bytes that the host did not write come from the page's old content, if any.
bool Ftl::append_coalesced(const CoalescedPage& page) {
  if (trims_.pending(page.lpn)) {  // trimmed after it was written: execute the trim now
    trims_.cancel(page.lpn);
    Signal known = kNoSignal;  // nothing waits for the mapping entry
    trim_now(page.lpn, known);
    return true;
  }
  const Completed completed = complete(page);
  if (append_whole(completed.page, completed.data, completed.lost)) {
    count_completed(completed);
    return true;
  }
  bool there;
  held_.merge(page, there);
  return false;
}

// The compressed size is the average of the old and new parts, weighted by length.
Ftl::Completed Ftl::complete(const CoalescedPage& page) {
  Completed completed{page};
  FTLAB_DCHECK(page.first_byte < page.end_byte, "a page is completed of which nothing was written");
  const Ppn old = ppn_of(page.lpn);
  if (config_.compression.on()) {
    const std::uint64_t bytes = page.end_byte - page.first_byte, kept = config_.mapping_bytes - bytes;
    const std::uint32_t rest = old == kNoPpn ? 0 : store_.pages().at(old).slots * 1000 / config_.slots_per_page();
    completed.page.stored = static_cast<std::uint16_t>((bytes * page.stored + kept * rest) / config_.mapping_bytes);
  }
  if (page.whole(config_.mapping_bytes) || old == kNoPpn) return completed;
  if (!store_.pages().staged(old)) {
    ++counts_.read_modify_writes;
    reader_.read(old, completed.data);
  }
  completed.lost = store_.pages().lost(old);
  return completed;
}

void Ftl::count_completed(const Completed& completed) {
  const CoalescedPage& page = completed.page;
  FTLAB_DCHECK(page.end_byte - page.first_byte <= config_.mapping_bytes, "more of a page was written than it has");
  const std::uint64_t filled = config_.mapping_bytes - (page.end_byte - page.first_byte);
  counts_.filled_bytes += filled * config_.slots_of(page.stored) / config_.slots_per_page();
}

bool Ftl::append_whole(const CoalescedPage& page, Signal data, bool lost) {
  execute_trims(config_.trim.pages_per_host_write);
  if (share(page)) [[unlikely]]
    return true;
  scheme_->change(page.lpn, true, data);
  const auto old = [&] { return ppn_of(page.lpn); };
  const auto stream = static_cast<std::uint8_t>(page.stream);
  const std::uint32_t slots = config_.slots_of(page.stored);
  const Frontier* const frontier = config_.mapping.hybrid()
                                       ? scheme_->frontier_for(page.lpn)
                                       : collection_.frontier_for(page.lpn, stream, old, page.version, slots);
  if (frontier == nullptr) {
    read_only_ = true;
    return false;
  }
  put(*frontier, page, data, lost);
  return true;
}

// If the content is already stored, only adds a reference to it. A content known to be lost is no longer shared: this write
// stores its data again.
bool Ftl::share(const CoalescedPage& page) {
  const Lpn content = contents_.find(page.fingerprint);
  if (content == kNoLpn) return false;
  FTLAB_DCHECK(store_.pages().map().find(content) != kNoPpn, "a content is known that is not stored");
  if (store_.pages().lost(store_.pages().map().find(content))) {
    contents_.forget(content);
    return false;
  }
  release(contents_.share(page.lpn, content, page.version));
  return true;
}

// Unmaps a content that has lost its last reference.
void Ftl::release(Lpn content) {
  if (content != kNoLpn) store_.unmap(content);
}

void Ftl::unmap(Lpn lpn) { release(contents_.drop(lpn)); }

// REQUIRES: the frontier has room.
void Ftl::put(const Frontier& frontier, const CoalescedPage& page, Signal data, bool lost) {
  const std::uint32_t slots = config_.slots_of(page.stored);
  FTLAB_DCHECK(frontier.room() >= slots, "frontier " + std::to_string(frontier.number()) + " has too little room");
  const Lpn lpn = contents_.store(page.lpn, page.fingerprint, page.version);
  ++counts_.host_pages;
  counts_.host_slots += slots;
  store_.append(frontier, lpn, page.version, slots, true, data, lost);
}

// Records only mapped pages: others have no copy that could return after a power cut. Shared contents have their own record.
Signal Ftl::trim(Lpn first, std::uint32_t pages) {
  const std::uint64_t end = number(first) + std::uint64_t{pages};
  FTLAB_DCHECK(pages == 0 || end <= logical_pages(), "trim range exceeds the drive");
  Signal known = kNoSignal;
  if (config_.trim.mode == TrimConfig::Mode::off || pages == 0) return known;
  if (trims_.full()) return known;  // a hint that the drive may ignore
  for (std::uint32_t l = number(first); l < end && contents_.shared() == nullptr; ++l)
    if (store_.pages().map().find(Lpn{l}) != kNoPpn) store_.record_trim(Lpn{l}, versions_.newest());
  write_trim_record();
  if (config_.trim.mode == TrimConfig::Mode::deferred) {
    trims_.add(first, pages);
    return known;
  }
  for (std::uint32_t l = number(first); l < end; ++l) trim_now(Lpn{l}, known);
  scheme_->trimmed(first, pages);
  return known;
}

// Records fill a slot of the host's first frontier. They are not needed once the map is saved, so the slot is stale from the
// start.
void Ftl::write_trim_record() {
  for (std::uint32_t full = trim_records_.add(); full > 0; --full) {
    const Frontier& frontier = store_.frontiers()[0];
    if (!collection_.prepare_host_write(frontier, 1)) continue;
    store_.pad(frontier);
    ++counts_.trim_record_slots;
  }
}

void Ftl::trim_now(Lpn lpn, Signal& known) {
  if (!held_.empty()) held_.take(lpn);
  if (ppn_of(lpn) == kNoPpn) return;
  scheme_->change(lpn, false, known);
  unmap(lpn);
  ++counts_.trimmed_pages;
}

void Ftl::execute_trims(std::uint32_t pages) {
  Signal known = kNoSignal;  // nothing waits for the mapping entries
  for (std::uint32_t done = 0; done < pages && !trims_.empty(); ++done) {
    const Lpn lpn = trims_.take();
    if (lpn == kNoLpn) return;
    trim_now(lpn, known);
  }
}

void Ftl::flush() {
  while (!held_.empty() && !read_only() && append_coalesced(held_.take_oldest())) {
  }
  if (read_only()) save_coalesced();
  for (const Frontier& frontier : store_.frontiers()) {
    if (store_.stages()[frontier.number()].host_pages() == 0) continue;
    collection_.prepare_padding(frontier);
    fill_stripe(store_, frontier);
  }
}

void Ftl::save() {
  if (contents_.shared() != nullptr) execute_trims(~std::uint32_t{0});
  flush();
}

// At the end of life, acknowledged data take any room left, including the reserve, which has no other use by then.
void Ftl::save_coalesced() {
  while (!held_.empty()) {
    const CoalescedPage page = held_.take_oldest();
    if (trims_.pending(page.lpn)) {
      trims_.cancel(page.lpn);
      unmap(page.lpn);
      continue;
    }
    const Completed completed = complete(page);
    if (share(completed.page)) continue;
    const Frontier* const frontier = last_room(store_, config_.slots_of(completed.page.stored));
    if (frontier == nullptr) {
      bool there;
      held_.merge(page, there);
      return;
    }
    put(*frontier, completed.page, completed.data, completed.lost);
    count_completed(completed);
  }
}

}  // namespace ftlab
