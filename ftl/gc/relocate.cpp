#include "ftl/gc/relocate.h"
#include "models/nand/array/data_slots.h"

#include <algorithm>
#include <bit>
#include <span>

namespace ftlab {
namespace {

std::unique_ptr<GcPolicy> policy_for(const FtlConfig& config, std::uint32_t pool) {
  if (config.is_slc_pool(pool)) return gc_policy_kinds()[gc_policy_index("fifo")].make({});
  return config.gc.own ? config.gc.own(pool) : gc_policy_kinds()[config.gc.policy].make(config.gc.values);
}

}  // namespace

Relocation::Relocation(const FtlConfig& config, std::uint32_t pool, const Parts& parts, RandomStream random)
    : config_(config.gc),
      wear_(config.wear),
      pool_(pool),
      store_(parts.store),
      reader_(parts.reader),
      refresh_(parts.refresh),
      work_(parts.work),
      placement_(parts.placement),
      random_(random),
      policy_(policy_for(config, pool)),
      stripe_bytes_(store_.layout().slot_bytes() / store_.layout().stripes_per_page()),
      translation_frontier_(config.translation_frontier()),
      host_lpns_(store_.map().lpns() - config.mapping.translation_pages),
      pslc_mode_(config.pslc_mode) {
  if (config.is_slc_pool(pool)) pslc_mode_.folds_late = config.slc.folds_late;
  for (std::uint32_t pages = 0; pages <= store_.layout().pages_per_stripe(); ++pages) {
    const WorkList::ReadCount one = work_.count().of_read(stripe_bytes_ * pages);
    const std::uint64_t stripes = store_.layout().stripes_per_page();
    read_counts_.push_back({one.pages * stripes, one.bytes * stripes});
  }
  watch_free_space();
}

void Relocation::watch_free_space() {
  const std::uint32_t free = free_soon();
  if (free <= config_.start_free) active_ = true;
  if (free >= config_.stop_free) active_ = false;
  const bool due = pslc_mode_.folds_late ? active_ : !pslc_mode();
  reorganising_ = pslc_mode_.on() && due && oldest_pslc() != kNoBlock;
}

// Whether the host's superblocks are written with one bit a cell; whoever opens one also asks that collection be at rest,
// since fast superblocks take twice as much free space.
bool Relocation::pslc_mode() const {
  if (!pslc_mode_.on()) return false;
  const std::uint64_t mapped = store_.mapped_pages(), until = pslc_mode_.until_mapped_permille;
  if (until > 0 && mapped * 1000 >= store_.map().lpns() * until) return false;
  if (pslc_mode_.free_space_permille == 0) return true;
  return free_soon() > config_.stop_free && pslc_count() < most_pslc();  // under load collection frees no more
}

// The share of pSLC superblocks in what mapped pages leave free, beyond the room of collection.
std::uint64_t Relocation::most_pslc() const {
  const auto own = [this](const Frontier& frontier) { return frontier.plan().pool == pool_; };
  const std::uint64_t data = std::uint64_t{store_.mapped_pages()} * store_.largest_page() / store_.guaranteed_slots();
  const std::uint64_t used = data + std::ranges::count_if(store_.frontiers(), own) + config_.stop_free;
  const std::uint64_t all = store_.blocks().free().quota(pool_);
  return (all - std::min(all, used)) * pslc_mode_.free_space_permille / 1000;
}

std::uint64_t Relocation::pslc_count() const {
  const Blocks& blocks = store_.blocks();
  const auto holds_pages = [&](SuperblockId block) {
    const BlockState state = blocks.state(block);
    return state == BlockState::open || state == BlockState::closed || state == BlockState::collecting;
  };
  std::uint64_t count = 0;
  for (std::uint32_t b = 0; b < blocks.count(); ++b) {
    const SuperblockId block{b};
    count +=
        blocks.columns().pool[number(block)] == pool_ && store_.medium().superblocks().pslc(block) && holds_pages(block);
  }
  return count;
}

// Collection in idle time frees as many superblocks as the cache may take.
std::uint64_t Relocation::idle_goal() const {
  const std::uint64_t goal = config_.idle_stop_free;
  return pslc_mode_.free_space_permille == 0 ? goal : std::max(goal, config_.stop_free + most_pslc());
}

SuperblockId Relocation::oldest_pslc() const {
  const Blocks& blocks = store_.blocks();
  SuperblockId block = blocks.closed().oldest(pool_);
  while (block != kNoBlock && !store_.medium().superblocks().pslc(block)) block = blocks.closed().next_younger(block);
  return block;
}

// A victim's pages find room wherever they belong: they are at most one superblock, so at most as many frontiers run out
// of room as there are free superblocks, while this holds. Each reclaimed superblock gives back at least what it took.
bool Relocation::room_for_victim() const {
  return writable_slots(store_.blocks().free().count(pool_)) >=
         std::uint64_t{store_.reserve(pool_)} * store_.layout().data_pages();
}

std::uint64_t Relocation::writable_slots(std::uint32_t free) const {
  std::uint64_t slots = std::uint64_t{free} * store_.layout().data_pages();
  for (const Frontier& frontier : store_.frontiers()) {
    if (!frontier.plan().relocation || frontier.plan().pool != pool_) continue;
    slots +=
        frontier.room() - std::min(frontier.room(), store_.largest_page() - 1);  // the rest may be too little for a page
    slots += std::uint64_t{frontier.set_aside().size()} * store_.layout().data_pages();
  }
  return slots;
}

// Why it ends: a victim with stale pages gains as many slots as it has of them, one without changes nothing and comes
// only so often in a row (choose_victim). So one day no closed superblock holds a stale page; then more than the reserve is
// free or waits for its erase, by the smallest spare that a design is allowed (superblocks_needed).
bool Relocation::gain_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most) {
  const std::uint64_t patience = (kMostFutile + 1) * std::uint64_t{store_.blocks().free().quota(pool_)};
  std::uint64_t most_slots = writable_slots(free_soon());
  for (std::uint64_t fruitless = 0; !host_may_write(frontier, slots); --most) {
    if (most == 0 || !make_some_room(frontier, slots)) return false;
    const std::uint64_t found = writable_slots(free_soon());
    fruitless = found > most_slots ? 0 : fruitless + 1;
    most_slots = std::max(most_slots, found);
    if (fruitless <= patience) continue;
    FTLAB_CHECK(store_.may_lack_room(), "collection in pool " + std::to_string(pool_) +
                                            " goes round: " + std::to_string(fruitless) + " victims gained nothing, " +
                                            std::to_string(store_.blocks().free().count(pool_)) + " superblocks are free, " +
                                            std::to_string(store_.waiting_for_erase(pool_)) + " wait for their erase");
    return false;
  }
  return true;
}

bool Relocation::make_some_room(const Frontier& frontier, std::uint32_t slots) {
  // With too little room for the page its superblock is closed, so that it may be chosen: the count of superblocks that are
  // needed says that then there is always one to be chosen.
  if (frontier.has_room() && frontier.room() < slots) {
    store_.close_early(frontier);
    if (frontier.room() >= slots) return true;  // its program failed, and it goes on in another superblock
  }
  if (!frontier.has_room() && (!frontier.set_aside().empty() || has_spare_unit())) {
    const bool pslc = frontier.plan().always_pslc || (frontier.plan().cells_per_bit > 1 && pslc_mode() && !active_);
    store_.open(frontier, pslc);
    watch_free_space();
    return true;
  }
  if (victim_ != kNoBlock || choose_victim()) return end_victim();
  return free_waiting();
}

// A reclaim unit is free beyond the reserve.
bool Relocation::has_spare_unit() const {
  const std::uint32_t unit = store_.frontiers().front().plan().superblocks;
  return store_.blocks().free().count(pool_) >= store_.reserve(pool_) + unit;
}

// Every closed superblock is full of current data, so the stale space lies in relocated ones that wait for their copies to
// be programmed. Padding makes slots stale: with less of it than the host needs, collection would win these back, find
// nothing more, pad again and so go round for ever. False: nothing waits, or the drive is at its end.
bool Relocation::free_waiting() {
  if (store_.waiting_for_erase(pool_) == 0) return false;
  while (store_.waiting_for_erase(pool_) > 0 && !has_spare_unit()) {
    if (store_.worn_out()) return false;
    store_.pad(*store_.oldest_staged(pool_));
  }
  return !store_.worn_out();
}

void Relocation::prepare_padding(const Frontier& frontier) {
  if (frontier.plan().relocation && store_.blocks().free().count(pool_) < store_.reserve(pool_)) end_victim();
}

bool Relocation::end_victim() {
  while (victim_ != kNoBlock && !stuck_) advance(kLookahead);
  return !stuck_;
}

// A new victim is begun only while the reserve is whole: it may have to go into it, and the last victim may still wait
// for its erase.
void Relocation::relocate_some() {
  std::uint32_t moved = 0;
  while (at_work() && !stuck_ && moved < config_.pages_per_host_write) {
    if (victim_ == kNoBlock && (!room_for_victim() || !choose_victim())) return;
    moved += advance(config_.pages_per_host_write - moved);
  }
}

Relocation::Step Relocation::idle_step() {
  const auto begin_next = [this] {
    if (pslc_mode_.folds_late && !room_for_victim()) free_waiting();  // no host write will complete their stripe
    if (!room_for_victim()) return false;
    if (pslc_mode_.folds_late && begin_folding()) return true;
    return (reorganising_ || free_soon() < idle_goal()) && choose_victim();
  };
  if (stuck_ || (victim_ == kNoBlock && !begin_next())) return {false, 0};
  return {true, advance(1)};
}

Relocation::Step Relocation::refresh_step() {
  if (stuck_ || (victim_ == kNoBlock && !begin_refresh())) return {false, 0};
  return {true, advance(1)};
}

std::uint32_t Relocation::advance(std::uint32_t most) {
  if (by_runs_ && goes_on_in_runs()) {
    const std::uint32_t moved = move_run(most);
    if (moved > 0 || stuck_) return moved;
  } else {
    look_ahead();
    if (ahead_count_ > 0) return move_stripe();
  }
  finish_victim();
  return 0;
}

bool Relocation::any_stale() const {
  const Blocks& blocks = store_.blocks();
  for (SuperblockId block = blocks.closed().oldest(pool_); block != kNoBlock; block = blocks.closed().next_younger(block)) {
    if (blocks.valid(block) < store_.guaranteed_slots()) return true;
  }
  return false;
}

// Refresh gains no room, so it has none of the reserve.
bool Relocation::may_refresh() const {
  if (!refresh_.waits(pool_)) return false;
  return other_ != nullptr || (store_.blocks().free().count(pool_) > store_.reserve(pool_) && room_for_victim());
}

bool Relocation::begin_refresh() {
  if (!may_refresh()) return false;
  const SuperblockId waiting = refresh_.take(store_.blocks(), pool_);
  FTLAB_CHECK(waiting != kNoBlock, "pool " + std::to_string(pool_) + " has not the superblock that waits for refresh");
  begin(waiting, RelocationCause::refresh);
  return true;
}

void Relocation::refresh_some(std::uint32_t pages) {
  for (std::uint32_t moved = 0; !stuck_ && moved < pages;) {
    if (victim_ == kNoBlock && !begin_refresh()) return;
    if (cause_ != RelocationCause::refresh && !refresh_.waits(pool_)) return;
    moved += advance(pages - moved);
  }
}

bool Relocation::choose_victim() {
  if (begin_refresh()) return true;
  const SuperblockId worn = choose_by_wear();
  if (worn != kNoBlock) {
    begin(worn, RelocationCause::wear);
    return true;
  }
  const std::uint32_t least = store_.reserve(pool_) + !pslc_mode_.folds_late;
  if (reorganising_ && free_soon() >= std::max(least, 1u) && begin_folding()) return true;
  const Blocks& blocks = store_.blocks();
  const GcView view{blocks, pool_, store_.counts().pages_appended, store_.medium().superblocks().erase_column()};
  SuperblockId chosen = free_soon() == 0 ? emptiest(blocks, pool_) : policy_->choose(view, random_);
  if (chosen == kNoBlock) return false;
  FTLAB_CHECK(number(chosen) < blocks.count() && blocks.state(chosen) == BlockState::closed &&
                  blocks.columns().pool[number(chosen)] == pool_,
              "the policy chose superblock " + std::to_string(number(chosen)) + ", which is no closed one of its pool");
  const bool full = blocks.valid(chosen) >= store_.guaranteed_slots() && other_ == nullptr;
  if (full && !any_stale()) return false;
  // A policy that does not look for stale pages comes upon them sooner or later; one that never does is overruled.
  futile_ = full ? futile_ + 1 : 0;
  if (futile_ > kMostFutile * blocks.closed().count(pool_)) chosen = emptiest(blocks, pool_);
  begin(chosen, RelocationCause::collection);
  return true;
}

bool Relocation::begin_folding() {
  const SuperblockId pslc = oldest_pslc();
  if (pslc != kNoBlock) begin(pslc, RelocationCause::collection);
  return pslc != kNoBlock;
}

// Static wear levelling: the least worn closed superblock, when it lags behind the most worn one by more than the limit.
SuperblockId Relocation::choose_by_wear() {
  if (wear_.static_spread == 0 || other_ != nullptr) return kNoBlock;
  if (store_.counts().superblocks_erased < erases_at_wear_check_ + wear_.check_every_erases) return kNoBlock;
  if (store_.blocks().free().count(pool_) <= store_.reserve(pool_)) return kNoBlock;
  erases_at_wear_check_ = store_.counts().superblocks_erased;
  const Blocks& blocks = store_.blocks();
  SuperblockId least = kNoBlock;
  for (SuperblockId b = blocks.closed().oldest(pool_); b != kNoBlock; b = blocks.closed().next_younger(b)) {
    if (least == kNoBlock || store_.medium().superblocks().erases(b) < store_.medium().superblocks().erases(least))
      least = b;
  }
  const std::span<const std::uint32_t> erases = store_.medium().superblocks().erase_counts();
  const std::uint32_t most = *std::max_element(erases.begin(), erases.end());
  return least != kNoBlock && most - store_.medium().superblocks().erases(least) > wear_.static_spread ? least : kNoBlock;
}

void Relocation::begin(SuperblockId victim, RelocationCause cause) {
  FTLAB_DCHECK(victim_ == kNoBlock && victim != kNoBlock, "a victim is begun amid another one");
  const std::uint32_t from = store_.medium().superblocks().frontier(victim);
  store_.start_collecting(victim);
  refresh_.forget(victim, pool_);
  victim_ = victim;
  const bool folds = cause == RelocationCause::collection && store_.medium().superblocks().pslc(victim);
  cause_ = folds ? RelocationCause::folding : cause;
  if (from == translation_frontier_) {
    cause_ = RelocationCause::mapping;
    fixed_class_ = translation_frontier_;
  } else if (placement_.by_superblock()) {
    fixed_class_ = placement_.of_relocated(Lpn{0}, Version{0}, Version{0}, from);
  }
  ahead_count_ = 0;
  read_until_ = 0;
  scan_word_ = 0;
  scan_bits_ = store_.current().words(victim_)[0];
  if (config_.shuffle) shuffle();
  run_word_ = 0;
  by_runs_ = moves_runs();
  run_most_ = 0;
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
  do {
    while (scan_bits_ == 0) {
      if (scan_word_ + 1 >= words) return false;
      scan_bits_ = store_.current().words(victim_)[++scan_word_];
    }
    position = scan_word_ * 64 + static_cast<std::uint32_t>(std::countr_zero(scan_bits_));
    scan_bits_ &= scan_bits_ - 1;
  } while (!carries_page(position));
  return true;
}

// Of the slots of a page the last one.
bool Relocation::carries_page(std::uint32_t position) const {
  if (store_.largest_page() == 1) return true;
  return store_.medium().pages().lpn(Ppn{number(store_.layout().first_page(victim_)) + position}) != kNoLpn;
}

// Fills the ring with the next current pages and asks for their map entries, each a random access to the largest table.
// Only when it is half empty, so that many accesses are under way at once.
void Relocation::look_ahead() {
  if (ahead_count_ > kLookahead / 2) return;
  const std::uint32_t first = number(store_.layout().first_page(victim_));
  std::uint32_t position;
  while (ahead_count_ < kLookahead && (config_.shuffle ? next_shuffled(position) : scan_next(position))) {
    ahead_[(ahead_first_ + ahead_count_++) % kLookahead] = position;
    store_.map().prefetch(store_.medium().pages().lpn(Ppn{first + position}));
  }
}

// Whether all pages of the victim go behind one frontier.
bool Relocation::has_one_class() const {
  return placement_.by_superblock() || store_.medium().superblocks().frontier(victim_) == translation_frontier_;
}

// How far the pages from `first` on go behind the same frontier, `wanted`.
std::uint32_t Relocation::end_of_class(std::span<const std::uint32_t> pages, std::uint32_t first,
                                       std::uint32_t wanted) const {
  if (has_one_class()) return static_cast<std::uint32_t>(pages.size());
  while (++first < pages.size() && class_of(pages[first]) == wanted) {
  }
  return first;
}

std::uint32_t Relocation::class_of(std::uint32_t position) const {
  const std::uint32_t from = store_.medium().superblocks().frontier(victim_);
  if (has_one_class()) return fixed_class_;
  const Ppn ppn{number(store_.layout().first_page(victim_)) + position};
  const Lpn lpn = store_.medium().pages().lpn(ppn);
  if (number(lpn) >= host_lpns_) return translation_frontier_;  // it found no room behind its own frontier once
  return placement_.of_relocated(lpn, store_.medium().pages().version(ppn), store_.newest_version(), from);
}

// A frontier of relocation, which may go into the reserve. What never fails: the free superblocks, those that wait for
// their erase and the room behind the frontiers together hold what is left of the victim, for its pages may go behind any
// frontier when that of their class is full and nothing is free:
//   - A victim is begun while at least one superblock is free or waits; that one alone would hold all of it.
//   - Each page takes one slot, and nobody else takes slots that are needed (host_may_write, prepare_padding).
//   - Waiting superblocks become free by pages that complete the stages they wait for, without any padding.
// After a power cut none may be free or wait, but then the emptiest superblock (choose_victim) holds no more than the
// pages that were lost from RAM, and these left as many slots behind the frontiers.
const Frontier* Relocation::destination(std::uint32_t wanted, std::uint32_t slots) {
  if (store_.worn_out()) return nullptr;
  const Frontier& own = store_.frontier(wanted);
  if (other_ != nullptr) return other_->make_room(own, slots) ? &own : nullptr;
  if (own.room() >= slots) return &own;
  while (!store_.can_open(own) && store_.waiting_for_erase(pool_) > 0) {
    const Frontier& oldest = *store_.oldest_staged(pool_);
    if (may_take(oldest, wanted, slots)) return &oldest;
    store_.pad(oldest);  // takes no room that the page could have
    if (store_.worn_out()) return nullptr;
  }
  if (own.has_room() && store_.can_open(own)) {  // too little for the page
    store_.close_early(own);
    if (store_.worn_out()) return nullptr;
    if (own.room() >= slots) return &own;  // its program failed, and it goes on in another superblock
  }
  if (store_.can_open(own)) {
    store_.open(own, own.plan().always_pslc);
    return &own;
  }
  if (const Frontier* const other = any_with_room(wanted, slots)) return other;
  if (store_.may_lack_room()) return nullptr;
  FTLAB_CHECK(false, "no room for relocated pages in pool " + std::to_string(pool_));
}

bool Relocation::may_take(const Frontier& frontier, std::uint32_t wanted, std::uint32_t slots) const {
  return frontier.plan().pool == pool_ && frontier.room() >= slots && placement_.may_mix(wanted, frontier.number());
}

const Frontier* Relocation::any_with_room(std::uint32_t wanted, std::uint32_t slots) {
  for (const Frontier& other : store_.frontiers()) {
    if (may_take(other, wanted, slots)) return &other;
  }
  return nullptr;
}

// All pages ahead that lie in the next stripe. The host may have overwritten some of them since they were seen.
std::uint32_t Relocation::take_stripe(std::span<std::uint32_t> pages) {
  const std::uint32_t stripe_end = store_.layout().next_stripe(ahead_[ahead_first_]);
  const std::uint32_t stripe_start = stripe_end - store_.layout().pages_per_stripe();
  std::uint32_t count = 0;
  while (ahead_count_ > 0 && ahead_[ahead_first_] < stripe_end && ahead_[ahead_first_] >= stripe_start) {
    const std::uint32_t position = ahead_[ahead_first_];
    ahead_first_ = (ahead_first_ + 1) % kLookahead;
    --ahead_count_;
    if (store_.current().test(victim_, position)) pages[count++] = position;
  }
  return count;
}

// One read of the die, then each page goes behind the frontier of its class.
std::uint32_t Relocation::move_stripe() {
  FTLAB_DCHECK(victim_ != kNoBlock && ahead_count_ > 0, "no page is ahead");
  std::array<std::uint32_t, kLookahead> pages;
  const std::uint32_t count = take_stripe(pages);
  if (count == 0) return 0;
  if (store_.largest_page() > 1) return move_packed(std::span(pages).first(count));
  const bool copyback = config_.copyback && store_.layout().stripes_per_page() == 1;
  ReadData data;
  if (!copyback) data = reader_.read_to_move(victim_, std::span(pages).first(count));
  for (std::uint32_t moved = 0; moved < count;) {
    const std::uint32_t wanted = class_of(pages[moved]);
    const std::uint32_t end = end_of_class(std::span(pages).first(count), moved, wanted);
    while (moved < end) {
      const Frontier* const frontier = destination(wanted, 1);
      if (frontier == nullptr) {
        stuck_ = true;
        return moved;
      }
      // Folding asks the other pool for room page by page: it may have a victim of its own that needs the rest.
      const std::span<const std::uint32_t> run = std::span(pages).subspan(moved, other_ == nullptr ? end - moved : 1);
      const std::uint32_t done = copyback ? copy_back(run, *frontier) : store_.relocate(victim_, run, *frontier, data);
      relocated_pages_[static_cast<std::size_t>(cause_)] += done;
      if (moves_ != nullptr) record(run.first(done));
      moved += done;
    }
  }
  return count;
}

// Of a drive that compresses: page by page, each with as many slots as it takes.
std::uint32_t Relocation::move_packed(std::span<const std::uint32_t> pages) {
  const std::uint32_t first = number(store_.layout().first_page(victim_));
  for (std::size_t moved = 0; moved < pages.size(); ++moved) {
    const Ppn ppn{first + pages[moved]};
    const std::uint32_t slots = store_.medium().pages().slots(ppn);
    const Frontier* const frontier = destination(class_of(pages[moved]), slots);
    if (frontier == nullptr) {
      stuck_ = true;
      return static_cast<std::uint32_t>(moved);
    }
    if (moves_ != nullptr) record(pages.subspan(moved, 1));
    store_.relocate_packed(ppn, *frontier, read_packed(pages[moved]));
    ++relocated_pages_[static_cast<std::size_t>(cause_)];
    relocated_places_[static_cast<std::size_t>(cause_)] += slots;
  }
  return static_cast<std::uint32_t>(pages.size());
}

// A stripe is read once for all current pages that it holds a part of; in random order once for each. Returns what tells
// that all parts of the page are there.
Signal Relocation::read_packed(std::uint32_t position) {
  const Layout& layout = store_.layout();
  if (config_.shuffle) read_until_ = 0;
  Signal all = kNoSignal;
  reader_.each_part(Ppn{number(layout.first_page(victim_)) + position}, [&](std::uint32_t stripe, std::uint32_t) {
    if (stripe >= read_until_) read_next(stripe);
    if (all == kNoSignal) {  // of most pages the only part
      all = read_last_;
      return;
    }
    Signal both = kNoSignal;
    work_.raise_with(all, both);
    work_.raise_with(read_last_, both);
    all = both;
  });
  return all;
}

void Relocation::read_next(std::uint32_t stripe) {
  const Layout& layout = store_.layout();
  std::uint32_t slots = 0;
  for (std::uint32_t p = stripe * layout.pages_per_stripe(); p < (stripe + 1) * layout.pages_per_stripe(); ++p) {
    slots += store_.current().test(victim_, p);
  }
  const FlashRead read = reader_.read(victim_, stripe, pages_with_part_in(stripe), slots * stripe_bytes_);
  read_last_ = kNoSignal;
  if (work_.listed()) reader_.raise(read, read_last_);
  read_until_ = stripe + 1;
}

// The last slots of the victim's current pages that have a part in the stripe; that of the last page may lie beyond it.
std::vector<std::uint32_t> Relocation::pages_with_part_in(std::uint32_t stripe) const {
  const Layout& layout = store_.layout();
  std::vector<std::uint32_t> pages;
  if (!reader_.can_err()) return pages;  // they are not looked at
  bool goes_on = false;
  std::uint32_t position = stripe * layout.pages_per_stripe();
  for (const std::uint32_t end = position + layout.pages_per_stripe(); position < end; ++position) {
    if (!store_.current().test(victim_, position)) continue;
    goes_on = !carries_page(position);
    if (!goes_on) pages.push_back(position);
  }
  if (!goes_on) return pages;
  position = DataSlots(layout).after(position - 1);
  while (!carries_page(position)) position = DataSlots(layout).after(position);
  pages.push_back(position);
  return pages;
}

void Relocation::record(std::span<const std::uint32_t> positions) {
  const std::uint32_t first = number(store_.layout().first_page(victim_));
  for (const std::uint32_t position : positions) moves_->push_back(store_.medium().pages().lpn(Ppn{first + position}));
}

// When the die that holds the pages also takes them, they do not cross the channel.
std::uint32_t Relocation::copy_back(std::span<const std::uint32_t> run, const Frontier& frontier) {
  const Layout& layout = store_.layout();
  const std::uint32_t stripe = layout.stripe_of(run.front());
  const Die die = layout.die_of(victim_, stripe);
  const auto pages = std::min({static_cast<std::uint32_t>(run.size()), frontier.stripe_room(), frontier.room()});
  const bool internal = die == layout.die_of(frontier.block(), layout.stripe_of(frontier.next()));
  if (internal) copyback_pages_ += pages;
  const ReadData data =
      internal ? reader_.read_into_register(victim_, run.first(pages)) : reader_.read_to_move(victim_, run.first(pages));
  return store_.relocate(victim_, run.first(pages), frontier, data, internal);
}

std::span<const Rule<Relocation>> Relocation::rules() {
  static constexpr Rule<Relocation> kRules[] = {
      {"its victim does not exist.",
       [](const Relocation& it) { return it.victim_ == kNoBlock || number(it.victim_) < it.store_.blocks().count(); }},
      {"its victim is not being collected, or not in its pool.",
       [](const Relocation& it) {
         return it.victim_ == kNoBlock || (it.store_.blocks().state(it.victim_) == BlockState::collecting &&
                                           it.store_.blocks().columns().pool[number(it.victim_)] == it.pool_);
       }},
      {"it moves runs of pages, which this drive does not.",
       [](const Relocation& it) { return !it.by_runs_ || it.moves_runs(); }},
      {"it relocates without a cause.",
       [](const Relocation& it) { return static_cast<std::size_t>(it.cause_) < kRelocationCauses; }},
      {"its pages go to a frontier that does not exist.",
       [](const Relocation& it) { return it.fixed_class_ < it.store_.frontiers().size(); }},
      {"it looks ahead further than it can.",
       [](const Relocation& it) { return it.ahead_first_ < kLookahead && it.ahead_count_ <= kLookahead; }},
      {"it is at work where there is no page.",
       [](const Relocation& it) {
         const std::uint32_t pages = it.store_.layout().pages_per_superblock();
         return each_below(it.ahead_, pages) && each_below(it.shuffled_, pages);
       }},
      {"it looks for pages where there is none.",
       [](const Relocation& it) {
         const std::uint32_t words = (it.store_.layout().pages_per_superblock() + 63) / 64;
         return it.scan_word_ < words && it.run_word_ <= words;
       }},
      {"it has found a page behind the last one.",
       [](const Relocation& it) {
         const auto behind = it.scan_word_ * 64 + 64 - static_cast<std::uint32_t>(std::countl_zero(it.scan_bits_));
         return behind <= it.store_.layout().pages_per_superblock();
       }},
  };
  return kRules;
}

void Relocation::finish_victim() {
  FTLAB_DCHECK(victim_ != kNoBlock && store_.blocks().valid(victim_) == 0, "a victim ends with current pages");
  placement_.collected(store_.medium().superblocks().frontier(victim_), store_.blocks().columns().opened_at[number(victim_)],
                       store_.counts().host_pages_appended);
  store_.reclaim(victim_);
  victim_ = kNoBlock;
  ++collected_;
  watch_free_space();
}

}  // namespace ftlab
