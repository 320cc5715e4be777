#include "ftl/gc/relocate.h"

#include <algorithm>

namespace ftlab {

Relocation::Relocation(const FtlConfig& config, std::uint32_t pool, const Parts& parts, RandomStream random)
    : config_(config.gc),
      pool_(pool),
      store_(parts.store),
      refresh_(parts.refresh),
      placement_(parts.placement),
      random_(random),
      pslc_(config, pool, store_),
      choice_(config, pool, store_),
      victim_(store_, pool, config.gc.shuffle),
      destinations_(config, pool, store_, parts.placement),
      mover_(config, store_, parts.reader, parts.work, victim_, destinations_),
      pace_(store_.medium().layout().data_pages(), config.gc.start_free,
            static_cast<std::uint32_t>(std::ranges::count(store_.frontiers(), pool, [](const Frontier& frontier) {
              return frontier.plan().pool;
            }))) {
  watch_free_space();
}

void Relocation::watch_free_space() {
  const std::uint32_t free = free_or_pending_erase();
  if (free <= config_.start_free) active_ = true;
  if (free >= config_.stop_free) active_ = false;
  folding_first_ = pslc_.should_fold(free, active_);
}

// While this holds, every page of a victim finds room at its own frontier: the pages are at most one superblock, so no more
// frontiers fill up than superblocks are free. Each reclaimed superblock gives back at least what it took.
bool Relocation::room_for_victim() const {
  return writable_slots(free_now()) >= std::uint64_t{reserve()} * store_.medium().layout().data_pages();
}

std::uint64_t Relocation::writable_slots(std::uint32_t free) const {
  const std::uint64_t data_pages = store_.medium().layout().data_pages();
  std::uint64_t slots = free * data_pages;
  for (const Frontier& frontier : store_.frontiers()) {
    if (!frontier.plan().relocation || frontier.plan().pool != pool_) continue;
    // The rest may be too small for a page.
    slots += frontier.room() - std::min(frontier.room(), store_.pages().largest_page() - 1);
    slots += store_.supply().set_aside(frontier) * data_pages;
  }
  return slots;
}

// Why the loop ends: a victim gains as many slots as it has stale pages. A victim without stale pages gains nothing, but
// only a limited number of them come in a row (VictimChoice). So at some point no closed superblock has a stale page; then,
// by the minimum spare of a design (superblocks_needed), more superblocks than the reserve are free or pending erase.
bool Relocation::gain_room(const Frontier& frontier, std::uint32_t slots, std::uint64_t most) {
  const std::uint64_t patience = (kMostFutile + 1) * std::uint64_t{store_.blocks().free().quota(pool_)};
  std::uint64_t most_slots = writable_slots(free_or_pending_erase());
  for (std::uint64_t fruitless = 0; !host_may_write(frontier, slots); --most) {
    if (most == 0 || !make_some_room(frontier, slots)) return false;
    const std::uint64_t found = writable_slots(free_or_pending_erase());
    fruitless = found > most_slots ? 0 : fruitless + 1;
    most_slots = std::max(most_slots, found);
    if (fruitless <= patience) continue;
    FTLAB_CHECK(store_.supply().may_lack_room(),
                "collection in pool " + std::to_string(pool_) + " goes round: " + std::to_string(fruitless) +
                    " victims gained nothing, " + std::to_string(free_now()) + " superblocks are free, " +
                    std::to_string(store_.erases().waiting(pool_)) + " wait for their erase");
    return false;
  }
  return true;
}

bool Relocation::make_some_room(const Frontier& frontier, std::uint32_t slots) {
  // If the room is too small for the page, closes the superblock so that it can become a victim: by superblocks_needed()
  // there is then always a victim.
  if (frontier.has_room() && frontier.room() < slots) {
    store_.close_early(frontier);
    if (frontier.room() >= slots) return true;  // its program failed, and it continues in another superblock
  }
  // Where programs fail one after another, data may still wait in RAM for a program of the full superblock: no other one may
  // be opened before they are written.
  if (!frontier.has_room() && store_.stages()[frontier.number()].count() > 0) return false;
  if (!frontier.has_room() && (store_.supply().set_aside(frontier) > 0 || has_spare_unit())) {
    const FrontierPlan& plan = frontier.plan();
    const auto to_cache = [&] { return (!active_ && pslc_.on(free_or_pending_erase())) || pslc_.on_while_collecting(); };
    store_.open(frontier, plan.always_pslc || (plan.cells_per_bit > 1 && to_cache()));
    watch_free_space();
    return true;
  }
  if (victim_.exists() || choose_victim()) return end_victim();
  return free_waiting();
}

// True if a reclaim unit is free beyond the reserve.
bool Relocation::has_spare_unit() const { return free_now() >= reserve() + store_.frontiers().front().plan().superblocks; }

// Called when all closed superblocks are full of valid pages, so the stale space is in superblocks pending erase, which wait
// for their copies to be programmed. Padding makes slots stale: if it freed less than the host needs, GC would reclaim those
// slots, find nothing else, pad again and loop forever. False: no superblock is pending erase, or the drive is worn out.
bool Relocation::free_waiting() {
  const EraseQueue& erases = store_.erases();
  if (erases.waiting(pool_) == 0) return false;
  while (erases.waiting(pool_) > 0 && !has_spare_unit()) {
    if (store_.supply().worn_out()) return false;
    fill_stripe(store_, *erases.oldest_staged(pool_));
  }
  return !store_.supply().worn_out();
}

void Relocation::prepare_padding(const Frontier& frontier) {
  if (frontier.plan().relocation && free_now() < reserve()) end_victim();
}

bool Relocation::end_victim() {
  while (victim_.exists() && !mover_.stuck()) advance(PageRun::kMostPages);
  return !mover_.stuck();
}

// Starts a new victim only while the reserve is complete: the victim may need it, and the last one may still be pending
// erase.
void Relocation::relocate_some() {
  std::uint32_t moved = 0;
  while (at_work() && !mover_.stuck() && moved < config_.pages_per_host_write) {
    if (!victim_.exists() && (!room_for_victim() || !choose_victim())) return;
    moved += advance(config_.pages_per_host_write - moved);
  }
}

void Relocation::relocate_due() {
  if (!victim_.exists() && (!pace_.due(room()) || !room_for_victim() || !choose_victim())) return;
  const auto goes_on = [this] {
    const std::uint32_t valid = store_.blocks().valid(victim_.block());
    return valid == 0 || pace_.due(room(), valid);
  };
  for (std::uint32_t moved = 0; victim_.exists() && !mover_.stuck() && moved < config_.pages_per_host_write && goes_on();)
    moved += advance(1);
}

std::uint64_t Relocation::room() const {
  std::uint64_t slots = free_or_pending_erase() * std::uint64_t{store_.medium().layout().data_pages()};
  for (const Frontier& frontier : store_.frontiers())
    if (frontier.plan().pool == pool_) slots += frontier.room();
  return slots;
}

Relocation::Step Relocation::idle_step() {
  const auto begin_next = [this] {
    if (pslc_.folds_late() && !room_for_victim()) free_waiting();  // no host write will complete the stripe they wait for
    if (!room_for_victim()) return false;
    if (pslc_.folds_late() && begin_folding()) return true;
    return (folding_first_ || free_or_pending_erase() < pslc_.idle_goal(config_.idle_stop_free)) && choose_victim();
  };
  if (mover_.stuck() || (!victim_.exists() && !begin_next())) return {false, 0};
  return {true, advance(1)};
}

Relocation::Step Relocation::refresh_step() {
  if (mover_.stuck() || (!victim_.exists() && !begin_refresh())) return {false, 0};
  return {true, advance(1)};
}

void Relocation::refresh_some(std::uint32_t pages) {
  for (std::uint32_t moved = 0; !mover_.stuck() && moved < pages;) {
    if (!victim_.exists() && !begin_refresh()) return;
    if (victim_.cause() != RelocationCause::refresh && !refresh_.waits(pool_)) return;
    moved += advance(pages - moved);
  }
}

// Refresh gains no room, so it may not use the reserve.
bool Relocation::begin_refresh() {
  if (!refresh_.waits(pool_)) return false;
  if (!destinations_.folds() && (free_now() <= reserve() || !room_for_victim())) return false;
  const SuperblockId waiting = refresh_.take(store_.blocks(), pool_);
  FTLAB_CHECK(waiting != kNoBlock, "pool " + std::to_string(pool_) + " does not own the superblock that waits for refresh");
  begin(waiting, RelocationCause::refresh);
  return true;
}

bool Relocation::choose_victim() {
  if (begin_refresh()) return true;
  const SuperblockId worn = destinations_.folds() ? kNoBlock : choice_.by_wear();
  if (worn != kNoBlock) {
    begin(worn, RelocationCause::wear);
    return true;
  }
  const std::uint32_t least = reserve() + !pslc_.folds_late();
  if (folding_first_ && free_or_pending_erase() >= std::max(least, 1u) && begin_folding()) return true;
  const SuperblockId chosen = choice_.by_policy(free_or_pending_erase(), destinations_.folds(), random_);
  if (chosen != kNoBlock) begin(chosen, RelocationCause::collection);
  return chosen != kNoBlock;
}

bool Relocation::begin_folding() {
  const SuperblockId pslc = pslc_.oldest();
  if (pslc != kNoBlock) begin(pslc, RelocationCause::collection);
  return pslc != kNoBlock;
}

void Relocation::begin(SuperblockId victim, RelocationCause cause) {
  FTLAB_DCHECK(!mover_.stuck(), "a victim is chosen whose pages find no room");
  store_.start_collecting(victim);
  refresh_.forget(victim, pool_);
  if (cause == RelocationCause::collection && store_.medium().superblocks().pslc(victim)) cause = RelocationCause::folding;
  if (destinations_.begin(victim)) cause = RelocationCause::mapping;
  victim_.begin(victim, cause, random_);
  mover_.begin();
}

// Moves pages, or ends the victim if none are left. Returns the number of pages moved.
std::uint32_t Relocation::advance(std::uint32_t most) {
  FTLAB_DCHECK(victim_.exists() && most > 0, "collection goes on without a victim, or by no page");
  const std::uint32_t valid = store_.blocks().valid(victim_.block());
  const std::uint32_t moved = mover_.move(most);
  if (config_.even_pace) pace_.moved(valid - store_.blocks().valid(victim_.block()));
  if (moved == 0 && !mover_.stuck()) finish_victim();
  return moved;
}

void Relocation::finish_victim() {
  const SuperblockId victim = victim_.block();
  FTLAB_DCHECK(victim_.exists() && store_.blocks().valid(victim) == 0, "a victim ends with current pages");
  placement_.collected(store_.medium().superblocks().frontier(victim), store_.blocks().columns().opened_at[number(victim)],
                       store_.counts().host_pages_appended);
  store_.reclaim(victim);
  victim_.end();
  pace_.victim_ended();
  ++collected_;
  watch_free_space();
}

}  // namespace ftlab
