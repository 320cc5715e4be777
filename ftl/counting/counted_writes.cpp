// From host_may_write() on, the functions mirror those of Relocation.
#include "ftl/counting/counted_writes.h"

#include <algorithm>
#include <string>

namespace ftlab {
namespace {

// With many superblocks, the host writes an eighth of one at a time: at most 1/4,096 of the drive's pages. The last two
// superblocks are written page by page, so that collection ends where it would for requests.
constexpr std::uint32_t kFewSuperblocks = 512;
constexpr std::uint64_t kExactSuperblocks = 2;

}  // namespace

CountedWrites::CountedWrites(const FtlConfig& config, const PageStore& store, std::uint32_t host_lpns, std::uint64_t seed)
    : gc_(config.gc),
      reserve_(config.reserve(0)),
      frontiers_{config.separate_relocation && config.slc.superblocks > 0 ? 1u : 0u, config.separate_relocation ? 1u : 0u},
      store_(store, frontiers_.host, frontiers_.relocation, host_lpns, config.wear.least_worn_first, seed),
      policy_(gc_policy_kinds()[config.gc.policy].make(config.gc.values)),
      random_(seed, "collection 0"),
      pace_(store_.slots(), gc_.start_free, frontiers_.relocation + 1),
      lump_(blocks().count() < kFewSuperblocks ? 0 : store_.slots() / 8) {
  for (std::uint32_t b = 0; b < blocks().count(); ++b) {
    const SuperblockId block{b};
    if (blocks().state(block) == BlockState::collecting && !store_.aside().has(block)) begin(block);
  }
  watch_free_space();
  if (victim_ != kNoBlock && free_or_pending_erase() < gc_.stop_free) active_ = true;
}

void CountedWrites::write(std::uint64_t pages) {
  const std::uint64_t before = store_.aside().counted_of(host_pages_);
  host_pages_ += pages;
  store(store_.aside().counted_of(host_pages_) - before);
}

void CountedWrites::store(std::uint64_t pages) {
  while (pages > 0) {
    const std::uint64_t lump = pages > kExactSuperblocks * store_.slots() ? lump_ : 0;
    collect(lump);
    while (!host_may_write()) make_some_room();
    const std::uint64_t many = std::max({writes_alone(), lump, std::uint64_t{1}}), room = store_.room(frontiers_.host);
    const std::uint64_t together = free_or_pending_erase() < reserve_ ? 1 : many;
    const auto written = static_cast<std::uint32_t>(std::min({pages, together, room}));
    store_.write(written);
    pages -= written;
  }
}

std::uint64_t CountedWrites::writes_alone() const {
  // Complete stripes set free what waits for its erase.
  const std::uint32_t left = store_.left_in_stripe(frontiers_.host);
  const std::uint32_t most = store_.waiting() == 0 ? store_.room(frontiers_.host) : left > 0 ? left : 1;
  if (!active_ || gc_.pages_per_host_write == 0) return most;
  if (!gc_.even_pace || (victim_ != kNoBlock && blocks().valid(victim_) == 0)) return 0;
  const std::uint64_t due_below = victim_ == kNoBlock ? pace_.target() : pace_.due_below(blocks().valid(victim_));
  return room() < due_below ? 0 : std::min<std::uint64_t>(most, room() - due_below + 1);
}

void CountedWrites::complete_stripes() {
  while (store_.left_in_stripe(frontiers_.host) > 0) write(1);
  store_.pad(frontiers_.relocation);
  store_.settle();
  FTLAB_DCHECK(store_.left_in_stripe(frontiers_.relocation) == 0, "an incomplete stripe is left");
}

bool CountedWrites::host_may_write() const {
  if (store_.room(frontiers_.host) == 0) return false;
  if (free_or_pending_erase() >= reserve_) return true;
  if (victim_ == kNoBlock) return false;
  return frontiers_.relocation != frontiers_.host || store_.room(frontiers_.host) > blocks().valid(victim_);
}

void CountedWrites::make_some_room() {
  if (store_.room(frontiers_.host) == 0 && free() > reserve_) {
    store_.open(frontiers_.host);
    return watch_free_space();
  }
  if (victim_ == kNoBlock && !choose_victim()) return free_waiting();
  move(blocks().valid(victim_));
  finish_victim();
}

void CountedWrites::free_waiting() {
  FTLAB_CHECK(store_.waiting() > 0, "no superblock can be collected");
  while (store_.waiting() > 0 && free() <= reserve_) store_.pad(store_.oldest_stripe());
}

void CountedWrites::watch_free_space() {
  const std::uint32_t free = free_or_pending_erase();
  if (free <= gc_.start_free) active_ = true;
  if (free >= gc_.stop_free) active_ = false;
}

bool CountedWrites::room_for_victim() const {
  const std::uint64_t slots = store_.slots();
  return free() * slots + store_.room(frontiers_.relocation) >= reserve_ * slots;
}

bool CountedWrites::choose_victim() {
  const GcView view{blocks(), 0, store_.counts().pages_appended, store_.erases()};
  const SuperblockId chosen = free_or_pending_erase() == 0 ? emptiest(blocks(), 0) : policy_->choose(view, random_);
  if (chosen == kNoBlock) return false;
  const bool full = blocks().valid(chosen) == store_.slots();
  if (full && blocks().valid(emptiest(blocks(), 0)) == store_.slots()) return false;
  futile_ = full ? futile_ + 1 : 0;
  begin(futile_ > kMostFutile * blocks().closed().count(0) ? emptiest(blocks(), 0) : chosen);
  return true;
}

void CountedWrites::begin(SuperblockId victim) {
  if (blocks().state(victim) == BlockState::closed) store_.start_collecting(victim);
  victim_ = victim;
  stripes_left_ = store_.slots() / blocks().layout().pages_per_stripe();
}

void CountedWrites::collect(std::uint64_t lump) {
  if (!active_ || gc_.pages_per_host_write == 0) return;
  const std::uint64_t most = std::max<std::uint64_t>(lump, 1) * gc_.pages_per_host_write;
  std::uint64_t moved = gc_.even_pace ? relocate_due(most, lump) : relocate_some(most, lump);
  // Within a lump the host writes many pages, and a victim may begin before each of them.
  while (lump > 0 && gc_.even_pace && active_ && victim_ == kNoBlock && moved < most) {
    const std::uint64_t more = relocate_due(most - moved, lump);
    if (more == 0) return;
    moved += more;
  }
}

std::uint64_t CountedWrites::relocate_some(std::uint64_t most, std::uint64_t lump) {
  std::uint64_t moved = 0;
  while (active_ && moved < most) {
    if (victim_ == kNoBlock && (!room_for_victim() || !choose_victim())) return moved;
    moved += advance(lump);
  }
  return moved;
}

std::uint64_t CountedWrites::relocate_due(std::uint64_t most, std::uint64_t lump) {
  if (victim_ == kNoBlock && (!pace_.due(room()) || !room_for_victim() || !choose_victim())) return 0;
  const auto goes_on = [this] { return blocks().valid(victim_) == 0 || pace_.due(room(), blocks().valid(victim_)); };
  std::uint64_t moved = 0;
  while (victim_ != kNoBlock && moved < most && goes_on()) moved += advance(lump);
  return moved;
}

std::uint64_t CountedWrites::room() const {
  const std::uint64_t slots = std::uint64_t{free_or_pending_erase()} * store_.slots() + store_.room(0);
  return frontiers_.relocation == 0 ? slots : slots + store_.room(frontiers_.relocation);
}

std::uint32_t CountedWrites::advance(std::uint64_t lump) {
  if (blocks().valid(victim_) > 0) return lump > 0 ? move_stripes(lump) : move_stripe();
  finish_victim();
  return 0;
}

// Moves the next stripe's share of the remaining pages. In random order, consecutive pages rarely share a stripe.
std::uint32_t CountedWrites::move_stripe() {
  if (gc_.shuffle) return move(1);
  const std::uint32_t left = blocks().valid(victim_), stripes = std::max(stripes_left_, 1u);
  stripes_left_ = stripes - 1;
  const std::uint32_t pages = left / stripes + (random_.below(stripes) < left % stripes ? 1 : 0);
  return move(pages);
}

// About as many pages as the host writes in a lump.
std::uint32_t CountedWrites::move_stripes(std::uint64_t lump) {
  const std::uint32_t left = blocks().valid(victim_);
  const auto pages = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, lump));
  stripes_left_ = static_cast<std::uint32_t>(std::uint64_t{stripes_left_} * (left - pages) / left);
  return move(pages);
}

std::uint32_t CountedWrites::move(std::uint32_t pages) {
  for (std::uint32_t left = pages; left > 0;) {
    const std::uint32_t frontier = destination();
    const std::uint32_t part = std::min(left, store_.room(frontier));
    store_.move(victim_, part, frontier);
    left -= part;
  }
  relocated_pages_ += pages;
  pace_.moved(pages);
  return pages;
}

std::uint32_t CountedWrites::destination() {
  if (store_.room(frontiers_.relocation) > 0) return frontiers_.relocation;
  while (free() == 0 && store_.waiting() > 0) {
    const std::uint32_t oldest = store_.oldest_stripe();
    if (store_.room(oldest) > 0) return oldest;
    store_.pad(oldest);
  }
  if (free() > 0) {
    store_.open(frontiers_.relocation);
    return frontiers_.relocation;
  }
  FTLAB_CHECK(store_.room(0) > 0, "no room for relocated pages");
  return 0;
}

void CountedWrites::finish_victim() {
  FTLAB_DCHECK(victim_ != kNoBlock && blocks().valid(victim_) == 0, "a victim ends with current pages");
  store_.reclaim(victim_);
  victim_ = kNoBlock;
  pace_.victim_ended();
  ++collected_;
  watch_free_space();
}

}  // namespace ftlab
