#include "ftl/relocate.h"

#include <algorithm>
#include <bit>
#include <span>

namespace ftlab {
Relocation::Relocation(const FtlConfig& config, std::uint32_t pool, PageStore& store, Placement& placement,
                       RandomStream random)
    : config_(config.gc),
      wear_(config.wear),
      pool_(pool),
      store_(store),
      placement_(placement),
      random_(random),
      policy_(gc_policy_kinds()[config.is_slc_pool(pool) ? gc_policy_index("fifo") : config.gc.policy].make({config.gc.d})),
      stripe_bytes_(store.layout().mapping_bytes() / store.layout().stripes_per_page()),
      translation_frontier_(config.translation_frontier()) {
  watch_free_space();
}

std::uint32_t Relocation::free_soon() const {
  return store_.blocks().free_count(pool_) + store_.waiting_for_erase(pool_);
}

void Relocation::watch_free_space() {
  const std::uint32_t free = free_soon();
  if (free <= config_.start_free) active_ = true;
  if (free >= config_.stop_free) active_ = false;
}

// While the reserve is in use, the room that is left belongs to a victim: to the one in progress when both write behind
// one frontier, to the one that a power cut interrupted when none is.
bool Relocation::host_may_write(Frontier& frontier) const {
  if (!frontier.has_room()) return false;
  if (free_soon() >= store_.reserve(pool_)) return true;
  if (victim_ == kNoBlock) return false;
  return !frontier.plan().relocation || frontier.room() > store_.blocks().valid(victim_);
}

// A victim's pages find room wherever they belong: they are at most one superblock, so at most as many frontiers run out
// of room as there are free superblocks, while this holds. Each reclaimed superblock gives back at least what it took.
bool Relocation::room_for_victim() const {
  const std::uint64_t pages = store_.layout().data_pages();
  std::uint64_t room = store_.blocks().free_count(pool_) * pages;
  for (const Frontier& frontier : store_.frontiers()) {
    if (frontier.plan().relocation && frontier.plan().pool == pool_) room += frontier.room();
  }
  return room >= store_.reserve(pool_) * pages;
}

bool Relocation::make_some_room(Frontier& frontier, Nanoseconds now) {
  if (!frontier.has_room() && store_.blocks().free_count(pool_) > store_.reserve(pool_)) {
    store_.open(frontier);
    watch_free_space();
    return true;
  }
  if (victim_ != kNoBlock || choose_victim()) return end_victim(now);
  // Every closed superblock is full of current data, so the stale space lies in relocated ones that wait for their
  // copies to be programmed.
  const std::uint32_t waiting = store_.waiting_for_erase(pool_);
  while (waiting > 0 && store_.waiting_for_erase(pool_) == waiting && !store_.worn_out())
    store_.pad(*store_.oldest_staged(), now);
  return waiting > 0 && !store_.worn_out();
}

void Relocation::prepare_padding(const Frontier& frontier, Nanoseconds now) {
  if (frontier.plan().relocation && store_.blocks().free_count(pool_) < store_.reserve(pool_)) end_victim(now);
}

bool Relocation::end_victim(Nanoseconds now) {
  while (victim_ != kNoBlock && !stuck_) advance(now);
  return !stuck_;
}

// A new victim is begun only while the reserve is whole: it may have to go into it, and the last victim may still wait
// for its erase.
void Relocation::relocate_some(Nanoseconds now) {
  std::uint32_t moved = 0;
  while (active_ && !stuck_ && moved < config_.pages_per_host_write) {
    if (victim_ == kNoBlock && (!room_for_victim() || !choose_victim())) return;
    moved += advance(now);
  }
}

void Relocation::use_idle_time(Nanoseconds from, Nanoseconds until) {
  work_ahead(from, until, [this] { return free_soon() < config_.idle_stop_free && room_for_victim() && choose_victim(); });
}

void Relocation::refresh_in_idle_time(Nanoseconds from, Nanoseconds until) {
  if (!store_.refresh().waits(pool_)) return;
  work_ahead(from, until, [this] { return begin_refresh(); });
}

// One victim after the other, as long as `begin_next` begins another.
template <class Begin>
void Relocation::work_ahead(Nanoseconds from, Nanoseconds until, Begin&& begin_next) {
  std::vector<Nanoseconds> in_flight(store_.layout().dies_per_superblock(), from);  // ends of programs, oldest first
  std::size_t oldest = 0;
  while (!stuck_ && in_flight[oldest] < until) {
    if (victim_ == kNoBlock && !begin_next()) return;
    if (advance(in_flight[oldest]) == 0) continue;
    Nanoseconds done = from;
    for (const Frontier& frontier : store_.frontiers()) done = std::max(done, store_.programmed_at(frontier));
    in_flight[oldest] = done;
    oldest = (oldest + 1) % in_flight.size();
  }
}

std::uint32_t Relocation::advance(Nanoseconds now) {
  look_ahead();
  if (ahead_count_ > 0) return move_stripe(now);
  finish_victim();
  return 0;
}

bool Relocation::any_stale() const {
  const Blocks& blocks = store_.blocks();
  for (BlockId block = blocks.oldest(pool_); block != kNoBlock; block = blocks.next_younger(block)) {
    if (blocks.valid(block) < store_.layout().data_pages()) return true;
  }
  return false;
}

BlockId Relocation::emptiest() const {
  const Blocks& blocks = store_.blocks();
  BlockId least = blocks.oldest(pool_);
  for (BlockId block = least; block != kNoBlock; block = blocks.next_younger(block)) {
    if (blocks.valid(block) < blocks.valid(least)) least = block;
  }
  return least;
}

// Refresh gains no room, so it has none of the reserve.
bool Relocation::may_refresh() const {
  if (!store_.refresh().waits(pool_)) return false;
  return other_ != nullptr || (store_.blocks().free_count(pool_) > store_.reserve(pool_) && room_for_victim());
}

bool Relocation::begin_refresh() {
  if (!may_refresh()) return false;
  const BlockId waiting = store_.refresh().take(store_.blocks(), pool_);
  FTLAB_CHECK(waiting != kNoBlock, "pool " + std::to_string(pool_) + " has not the superblock that waits for refresh");
  begin(waiting, RelocationCause::refresh);
  return true;
}

void Relocation::refresh_some(std::uint32_t pages, Nanoseconds now) {
  for (std::uint32_t moved = 0; !stuck_ && moved < pages;) {
    if (victim_ == kNoBlock && !begin_refresh()) return;
    if (cause_ != RelocationCause::refresh && !store_.refresh().waits(pool_)) return;
    moved += advance(now);
  }
}

bool Relocation::choose_victim() {
  if (begin_refresh()) return true;
  const BlockId worn = choose_by_wear();
  if (worn != kNoBlock) {
    begin(worn, RelocationCause::wear);
    return true;
  }
  const Blocks& blocks = store_.blocks();
  const GcView view{blocks, pool_, store_.pages_put(), store_.medium().erase_counts()};
  BlockId chosen = free_soon() == 0 ? emptiest() : policy_->choose(view, random_);
  if (chosen == kNoBlock) return false;
  FTLAB_CHECK(number(chosen) < blocks.count() && blocks.state(chosen) == BlockState::closed && blocks.pool(chosen) == pool_,
              "the policy chose superblock " + std::to_string(number(chosen)) + ", which is no closed one of its pool");
  const bool full = blocks.valid(chosen) == store_.layout().data_pages() && other_ == nullptr;
  if (full && !any_stale()) return false;
  // A policy that does not look for stale pages comes upon them sooner or later; one that never does is overruled.
  futile_ = full ? futile_ + 1 : 0;
  if (futile_ > kMostFutile * blocks.closed_count(pool_)) chosen = emptiest();
  begin(chosen, other_ == nullptr ? RelocationCause::collection : RelocationCause::folding);
  return true;
}

// Static wear levelling: the least worn closed superblock, when it lags behind the most worn one by more than the limit.
BlockId Relocation::choose_by_wear() {
  if (wear_.static_spread == 0 || other_ != nullptr) return kNoBlock;
  if (store_.superblocks_erased() < erases_at_wear_check_ + wear_.check_every_erases) return kNoBlock;
  if (store_.blocks().free_count(pool_) <= store_.reserve(pool_)) return kNoBlock;
  erases_at_wear_check_ = store_.superblocks_erased();
  const Blocks& blocks = store_.blocks();
  BlockId least = kNoBlock;
  for (BlockId b = blocks.oldest(pool_); b != kNoBlock; b = blocks.next_younger(b)) {
    if (least == kNoBlock || store_.medium().erases(b) < store_.medium().erases(least)) least = b;
  }
  const std::span<const std::uint32_t> erases = store_.medium().erase_counts();
  const std::uint32_t most = *std::max_element(erases.begin(), erases.end());
  return least != kNoBlock && most - store_.medium().erases(least) > wear_.static_spread ? least : kNoBlock;
}

void Relocation::begin(BlockId victim, RelocationCause cause) {
  const std::uint32_t from = store_.medium().frontier(victim);
  store_.blocks().start_collecting(victim);
  store_.refresh().forget(victim, pool_);
  victim_ = victim;
  cause_ = cause;
  if (from == translation_frontier_) {
    cause_ = RelocationCause::mapping;
    fixed_class_ = translation_frontier_;
  } else if (placement_.by_superblock()) {
    fixed_class_ = placement_.of_relocated(Lpn{0}, Version{0}, Version{0}, from);
  }
  ahead_count_ = 0;
  scan_word_ = 0;
  scan_bits_ = store_.blocks().valid_word(victim_, 0);
  if (config_.shuffle) shuffle();
}

// All current pages in random order (Fisher and Yates).
void Relocation::shuffle() {
  shuffled_.clear();
  std::uint32_t position;
  while (scan_next(position)) shuffled_.push_back(position);
  for (std::size_t left = shuffled_.size(); left > 1; --left) {
    std::swap(shuffled_[left - 1], shuffled_[random_.below(left)]);
  }
}

bool Relocation::next_shuffled(std::uint32_t& position) {
  if (shuffled_.empty()) return false;
  position = shuffled_.back();
  shuffled_.pop_back();
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
  while (ahead_count_ < kLookahead && (config_.shuffle ? next_shuffled(position) : scan_next(position))) {
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

std::uint32_t Relocation::class_of(std::uint32_t position) const {
  const std::uint32_t from = store_.medium().frontier(victim_);
  if (placement_.by_superblock() || from == translation_frontier_) return fixed_class_;
  const Ppn place{number(store_.layout().first_page(victim_)) + position};
  return placement_.of_relocated(store_.medium().lpn(place), store_.medium().version(place), store_.newest_version(), from);
}

// A frontier of relocation, which may go into the reserve. What never fails: the free superblocks, those that wait for
// their erase and the room behind the frontiers together hold what is left of the victim, for its pages may go behind any
// frontier when that of their class is full and nothing is free:
//   - A victim is begun while at least one superblock is free or waits; that one alone would hold all of it.
//   - Each page takes one place, and nobody else takes places that are needed (host_may_write, prepare_padding).
//   - Waiting superblocks become free by pages that complete the stages they wait for, without any padding.
// After a power cut none may be free or wait, but then the emptiest superblock (choose_victim) holds no more than the
// pages that were lost from RAM, and these left as many places behind the frontiers.
Frontier* Relocation::destination(std::uint32_t wanted, Nanoseconds now) {
  if (store_.worn_out()) return nullptr;
  Frontier& own = store_.frontier(wanted);
  if (other_ != nullptr) return other_->make_room(own, now) ? &own : nullptr;
  if (own.has_room()) return &own;
  while (store_.blocks().free_count(pool_) == 0 && store_.waiting_for_erase(pool_) > 0) {
    Frontier& oldest = *store_.oldest_staged();
    if (oldest.plan().pool == pool_) return &oldest;
    store_.pad(oldest, now);  // takes none of this pool's room
    if (store_.worn_out()) return nullptr;
  }
  if (store_.blocks().free_count(pool_) > 0) {
    store_.open(own);
    return &own;
  }
  for (std::uint32_t f = 0; f < store_.frontiers().size(); ++f) {
    Frontier& other = store_.frontier(f);
    if (other.plan().pool == pool_ && other.has_room()) return &other;
  }
  if (store_.has_failed()) return nullptr;
  FTLAB_CHECK(false, "no room for relocated pages in pool " + std::to_string(pool_));
}

// All pages ahead that lie in the next stripe. The host may have overwritten some of them since they were seen.
std::uint32_t Relocation::take_stripe(std::array<std::uint32_t, kLookahead>& pages) {
  const std::uint32_t stripe_end = store_.layout().next_stripe(ahead_[ahead_first_]);
  const std::uint32_t stripe_start = stripe_end - store_.layout().pages_per_stripe();
  std::uint32_t count = 0;
  while (ahead_count_ > 0 && ahead_[ahead_first_] < stripe_end && ahead_[ahead_first_] >= stripe_start) {
    const std::uint32_t position = ahead_[ahead_first_];
    ahead_first_ = (ahead_first_ + 1) % kLookahead;
    --ahead_count_;
    if (store_.blocks().is_valid(victim_, position)) pages[count++] = position;
  }
  return count;
}

// One read of the die, then each page goes behind the frontier of its class.
std::uint32_t Relocation::move_stripe(Nanoseconds now) {
  std::array<std::uint32_t, kLookahead> pages;
  const std::uint32_t count = take_stripe(pages);
  if (count == 0) return 0;
  const bool copyback = config_.copyback && store_.layout().stripes_per_page() == 1;
  const std::uint32_t stripe = store_.layout().stripe_of(pages[0]);
  const Nanoseconds ready = copyback           ? now
                            : store_.can_err() ? store_.read_to_move(victim_, std::span(pages).first(count), now)
                                               : read_stripe(stripe, count, now);
  for (std::uint32_t moved = 0; moved < count;) {
    const std::uint32_t wanted = class_of(pages[moved]);
    std::uint32_t end = moved + 1;
    while (end < count && class_of(pages[end]) == wanted) ++end;
    while (moved < end) {
      Frontier* const frontier = destination(wanted, now);
      if (frontier == nullptr) {
        stuck_ = true;
        return moved;
      }
      // Folding asks the other pool for room page by page: it may have a victim of its own that needs the rest.
      const std::span<const std::uint32_t> run = std::span(pages).subspan(moved, other_ == nullptr ? end - moved : 1);
      const std::uint32_t done =
          copyback ? copy_back(run, *frontier, now) : store_.relocate(victim_, run, *frontier, ready);
      relocated_pages_[static_cast<std::size_t>(cause_)] += done;
      if (moves_ != nullptr) record(run.first(done));
      moved += done;
    }
  }
  return count;
}

void Relocation::record(std::span<const std::uint32_t> positions) {
  const std::uint32_t first = number(store_.layout().first_page(victim_));
  for (const std::uint32_t position : positions) moves_->push_back(store_.medium().lpn(Ppn{first + position}));
}

// When the die that holds the pages also takes them, they do not cross the channel.
std::uint32_t Relocation::copy_back(std::span<const std::uint32_t> run, Frontier& frontier, Nanoseconds now) {
  const Layout& layout = store_.layout();
  const std::uint32_t stripe = layout.stripe_of(run.front());
  const Die die = layout.die_of(victim_, stripe);
  const auto pages = std::min({static_cast<std::uint32_t>(run.size()), frontier.stripe_room(), frontier.room()});
  const bool internal = die == layout.die_of(frontier.block(), layout.stripe_of(frontier.next()));
  const Nanoseconds ready = internal ? store_.backend().read_internally(now, die) : read_stripe(stripe, pages, now);
  if (internal) copyback_pages_ += pages;
  return store_.relocate(victim_, run.first(pages), frontier, ready, internal);
}

void Relocation::finish_victim() {
  placement_.collected(store_.medium().frontier(victim_), store_.blocks().opened_at(victim_), store_.host_pages_put());
  store_.reclaim(victim_);
  victim_ = kNoBlock;
  ++collected_;
  watch_free_space();
}

}  // namespace ftlab
