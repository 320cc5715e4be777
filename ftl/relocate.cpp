#include "ftl/relocate.h"

#include <algorithm>
#include <bit>
#include <span>

namespace ftlab {

Relocation::Relocation(const GcConfig& config, PageStore& store)
    : config_(config),
      store_(store),
      policy_(gc_policy_kinds()[config.policy].make()),
      stripe_bytes_(store.layout().mapping_bytes() / store.layout().stripes_per_page()) {
  watch_free_space();
}

void Relocation::watch_free_space() {
  const std::uint32_t free = store_.blocks().free_count() + store_.waiting_for_erase();
  if (free <= config_.start_free) active_ = true;
  if (free >= config_.stop_free) active_ = false;
}

// While the reserve is in use, the room that is left belongs to a victim: to the one in progress when both write behind
// one frontier, to the one that a power cut interrupted when none is.
bool Relocation::host_may_write(Frontier& frontier) const {
  if (!frontier.has_room()) return false;
  if (store_.blocks().free_count() + store_.waiting_for_erase() >= kReserve) return true;
  if (victim_ == kNoBlock) return false;
  return &frontier != &store_.relocation_frontier() || frontier.room() > store_.blocks().valid(victim_);
}

void Relocation::make_some_room(Frontier& frontier, Nanoseconds now) {
  if (!frontier.has_room() && store_.blocks().free_count() > kReserve) {
    store_.open(frontier);
    watch_free_space();
    return;
  }
  if (victim_ != kNoBlock || choose_victim()) {
    end_victim(now);
    return;
  }
  // Every closed superblock is full of current data, so the stale space lies in relocated ones that wait for their
  // copies to be programmed.
  FTLAB_CHECK(store_.waiting_for_erase() > 0, "no superblock with a stale page although spare was checked");
  store_.pad(store_.relocation_frontier(), now);
}

void Relocation::prepare_padding(const Frontier& frontier, Nanoseconds now) {
  if (&frontier == &store_.relocation_frontier() && store_.blocks().free_count() < kReserve) end_victim(now);
}

void Relocation::end_victim(Nanoseconds now) {
  while (victim_ != kNoBlock) advance(now);
}

// A new victim is begun only while the reserve is whole: it may have to go into it, and the last victim may still wait
// for its erase.
void Relocation::relocate_some(Nanoseconds now) {
  std::uint32_t moved = 0;
  while (active_ && moved < config_.pages_per_host_write) {
    const bool may_begin = store_.blocks().free_count() >= kReserve;
    if (victim_ == kNoBlock && (!may_begin || !choose_victim())) return;
    moved += advance(now);
  }
}

std::uint32_t Relocation::advance(Nanoseconds now) {
  look_ahead();
  if (ahead_count_ > 0) return move_stripe(now);
  finish_victim();
  return 0;
}

bool Relocation::choose_victim() {
  const BlockId chosen = policy_->choose(store_.blocks());
  if (chosen == kNoBlock || store_.blocks().valid(chosen) == store_.layout().pages_per_superblock()) return false;
  store_.blocks().start_collecting(chosen);
  victim_ = chosen;
  ahead_count_ = 0;
  scan_word_ = 0;
  scan_bits_ = store_.blocks().valid_word(victim_, 0);
  return true;
}

bool Relocation::scan_next(std::uint32_t& position) {
  const std::uint32_t words = (store_.layout().pages_per_superblock() + 63) / 64;
  while (scan_bits_ == 0) {
    if (scan_word_ + 1 >= words) return false;
    scan_bits_ = store_.blocks().valid_word(victim_, ++scan_word_);
  }
  position = scan_word_ * 64 + static_cast<std::uint32_t>(std::countr_zero(scan_bits_));
  scan_bits_ &= scan_bits_ - 1;
  return true;
}

// Fills the ring with the next current pages and asks for their map entries, each a random access to the largest table.
// Only when it is half empty, so that many accesses are under way at once.
void Relocation::look_ahead() {
  if (ahead_count_ > kLookahead / 2) return;
  const std::uint32_t first = number(store_.layout().first_page(victim_));
  std::uint32_t position;
  while (ahead_count_ < kLookahead && scan_next(position)) {
    ahead_[(ahead_first_ + ahead_count_++) % kLookahead] = position;
    store_.map().prefetch(store_.medium().lpn(Ppn{first + position}));
  }
}

// Reads `pages` pages of the victim's stripe; a mapping page larger than a stripe comes from several dies.
Nanoseconds Relocation::read_stripe(std::uint32_t stripe, std::uint32_t pages, Nanoseconds now) {
  const Layout& layout = store_.layout();
  const std::uint32_t bytes = stripe_bytes_ * pages;
  if (!store_.backend().timed()) return store_.backend().count_reads(layout.stripes_per_page(), bytes);
  Nanoseconds ready = now;
  for (std::uint32_t s = stripe; s < stripe + layout.stripes_per_page(); ++s) {
    ready = std::max(ready, store_.backend().read(now, layout.die_of(victim_, s), bytes).done);
  }
  return ready;
}

// Its own frontier, which may go into the reserve. After a power cut the victim of before may hold more than its frontier
// has room for: host data that were in RAM are lost, and their old content there is current again. The host's frontier has
// the room that they would have taken.
Frontier& Relocation::destination() {
  Frontier& own = store_.relocation_frontier();
  if (own.has_room()) return own;
  if (store_.blocks().free_count() == 0 && store_.host_frontier().has_room()) return store_.host_frontier();
  store_.open(own);
  return own;
}

// All pages ahead that lie in the next stripe: one read of the die, then each goes behind the frontier. The host may
// have overwritten some of them since they were seen.
std::uint32_t Relocation::move_stripe(Nanoseconds now) {
  const Layout& layout = store_.layout();
  const std::uint32_t stripe = layout.stripe_of(ahead_[ahead_first_]);
  const std::uint32_t stripe_end = layout.next_stripe(ahead_[ahead_first_]);
  std::array<std::uint32_t, kLookahead> pages;
  std::uint32_t count = 0;
  while (ahead_count_ > 0 && ahead_[ahead_first_] < stripe_end) {
    const std::uint32_t position = ahead_[ahead_first_];
    ahead_first_ = (ahead_first_ + 1) % kLookahead;
    --ahead_count_;
    if (store_.blocks().is_valid(victim_, position)) pages[count++] = position;
  }
  if (count == 0) return 0;
  const Nanoseconds ready = read_stripe(stripe, count, now);
  for (std::uint32_t moved = 0; moved < count;) {
    moved += store_.relocate(victim_, std::span(pages).subspan(moved, count - moved), destination(), ready);
  }
  relocated_pages_ += count;
  return count;
}

void Relocation::finish_victim() {
  store_.reclaim(victim_);
  victim_ = kNoBlock;
  ++collected_;
  watch_free_space();
}

}  // namespace ftlab
