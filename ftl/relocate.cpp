#include "ftl/relocate.h"

#include <algorithm>
#include <bit>

namespace ftlab {

Relocation::Relocation(const GcConfig& config, PageStore& store)
    : config_(config), store_(store), policy_(gc_policy_kinds()[config.policy].make()) {
  watch_free_space();
}

void Relocation::watch_free_space() {
  const std::uint32_t free = store_.blocks().free_count();
  if (free <= config_.start_free) active_ = true;
  if (free >= config_.stop_free) active_ = false;
}

// With one frontier for both, the host must leave the room that the victim's remaining pages need.
bool Relocation::host_may_write(Frontier& frontier) const {
  if (!frontier.has_room()) return false;
  if (&frontier != &store_.relocation_frontier() || victim_ == kNoBlock) return true;
  return store_.blocks().free_count() >= kReserve || frontier.room() > store_.blocks().valid(victim_);
}

void Relocation::make_some_room(Frontier& frontier, Nanoseconds now) {
  if (!frontier.has_room() && store_.blocks().free_count() > kReserve) {
    store_.open(frontier);
    watch_free_space();
    return;
  }
  FTLAB_CHECK(victim_ != kNoBlock || choose_victim(), "no superblock with a stale page although spare was checked");
  while (victim_ != kNoBlock) advance(now);
}

void Relocation::relocate_some(Nanoseconds now) {
  std::uint32_t moved = 0;
  while (active_ && moved < config_.pages_per_host_write && (victim_ != kNoBlock || choose_victim())) {
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
void Relocation::look_ahead() {
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
  const std::uint32_t bytes = pages * layout.mapping_bytes() / layout.stripes_per_page();
  if (!store_.backend().timed()) return store_.backend().count_reads(layout.stripes_per_page(), bytes);
  Nanoseconds ready = now;
  for (std::uint32_t s = stripe; s < stripe + layout.stripes_per_page(); ++s) {
    ready = std::max(ready, store_.backend().read(now, layout.die_of(victim_, s), bytes).done);
  }
  return ready;
}

// All pages ahead that lie in the next stripe: one read of the die, then each goes behind the frontier. The host may
// have overwritten some of them since they were seen.
std::uint32_t Relocation::move_stripe(Nanoseconds now) {
  const Layout& layout = store_.layout();
  const std::uint32_t first = number(layout.first_page(victim_));
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
  Frontier& frontier = store_.relocation_frontier();
  for (std::uint32_t i = 0; i < count; ++i) {
    const Ppn source{first + pages[i]};
    const Lpn lpn = store_.medium().lpn(source);
    FTLAB_CHECK(store_.map().find(lpn) == source, "relocated page is not the current one");
    if (!frontier.has_room()) store_.open(frontier);
    store_.blocks().set_invalid(victim_, pages[i]);
    store_.put(frontier, lpn, store_.medium().version(source), ready, false);
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
