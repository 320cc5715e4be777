// What becomes of data and superblocks when the flash fails.
//
// A failed program spoils its whole stripe. The data are in RAM still: the superblock is closed as it is, and they begin the
// next free one; without a free one they go to the next stripe of the same superblock. What finds no room there either stays
// in RAM, and the drive is at its end. The stage keeps its number, so that nothing is erased that its pages replace.
//
// A superblock whose erase fails is made whole with spare blocks or given up by its pool. A pool with fewer superblocks than
// it needs to make progress is the end, too.
#include <algorithm>

#include "ftl/write/page_store.h"
#include "models/nand/array/data_slots.h"

namespace ftlab {

void PageStore::set_needs(const FtlConfig& config) {
  needed_.resize(config.pool_count());
  for (std::uint32_t pool = 0; pool < needed_.size(); ++pool) {
    needed_[pool] = superblocks_needed_of(config, layout_, pool, host_lpns_);
  }
}

bool PageStore::may_lack_room() const {
  return room_lost_ || (health_ != nullptr &&
                        (blocks_.free().retired() > 0 || health_->program_failures() > 0 || health_->erase_failures() > 0));
}

// The one with the most superblocks beyond what it needs; the factory's bad blocks are its.
std::uint32_t PageStore::richest_pool() const {
  const auto spare = [this](std::uint32_t pool) {
    return std::int64_t{blocks_.free().quota(pool)} - static_cast<std::int64_t>(needed_[pool]);
  };
  std::uint32_t richest = 0;
  for (std::uint32_t pool = 1; pool < needed_.size(); ++pool) {
    if (spare(pool) > spare(richest)) richest = pool;
  }
  return richest;
}

void PageStore::retire_at_start() {
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
    if (!health_->defects().retired(SuperblockId{b})) continue;
    if (health_->charged_pool(SuperblockId{b}) == BadBlockTable::kNoPool) health_->charge(SuperblockId{b}, richest_pool());
    blocks_.adopt(SuperblockId{b}, BlockState::retired, health_->charged_pool(SuperblockId{b}));
  }
  blocks_.rebuild_free_list();
  for (std::uint32_t pool = 0; pool < needed_.size(); ++pool) worn_out_ |= blocks_.free().quota(pool) < needed_[pool];
}

void PageStore::release_or_retire(SuperblockId block) {
  FTLAB_DCHECK(health_ != nullptr, "a flash that does not wear out is asked for its health");
  if (health_->erase(block)) {
    for (const std::uint32_t lane : health_->replaced_lanes()) {
      const Die die = layout_.die_of(block, lane / layout_.planes());
      work_.erase(die, block, 1, medium_.superblocks().erases(block), true);
    }
    blocks_.erased(block);
    return;
  }
  const std::uint32_t pool = blocks_.columns().pool[number(block)];
  blocks_.erased(block, false);
  health_->charge(block, pool);
  worn_out_ |= blocks_.free().quota(pool) < needed_[pool];
}

// Of the stripes of one stage, or of one stripe of parity, at `position`. All are programmed, whatever the first ones do.
bool PageStore::program_fails(const Frontier& frontier, std::uint32_t position) {
  FTLAB_DCHECK(health_ != nullptr && frontier.block() != kNoBlock, "a program that cannot fail, or of no superblock");
  bool any = false;
  const std::uint32_t first = layout_.stripe_of(position);
  for (std::uint32_t stripe = first; stripe < first + layout_.stripes_per_page(); ++stripe) {
    any |= health_->program_fails(frontier.block(), layout_.die_of(frontier.block(), stripe));
  }
  return any;
}

// In the same superblock there must be room for the rest of a page that is being staged, too.
bool PageStore::outlive_failed_programs(Frontier& frontier) {
  while (program_fails(frontier, frontier.staged_first())) {
    const std::uint32_t needed = frontier.staged_count() + frontier.begun_before() + largest_page_ - 1;
    if (!can_open(frontier) && frontier.room() < needed) {
      frontier.leave();
      worn_out_ = true;
      return false;
    }
    move_failed_stage(frontier);
  }
  return true;
}

void PageStore::move_failed_stage(Frontier& frontier) {
  FTLAB_DCHECK(frontier.staged_count() > 0, "an empty stage has failed");
  const SuperblockId old = frontier.block();
  program_stripes(frontier, frontier.staged_first(), frontier.stage_failed() ? WorkRecord::kAfterPrevious : 0, 0);
  const std::vector<Moved> pages = take_up_stage(frontier);
  if (can_open(frontier)) {
    medium_.close(old);
    blocks_.close(old, counts_.pages_appended);
    frontier.restage(take_free(frontier, frontier.pslc()));
  } else {
    if (layout_.has_parity()) program_parity(frontier);
    frontier.restage_behind();
  }
  stage_anew(frontier, pages);
}

// In order of writing, with what was programmed before of the first page. They are at home nowhere until they are staged
// anew; the stripe is nobody's.
std::vector<PageStore::Moved> PageStore::take_up_stage(const Frontier& frontier) {
  const SuperblockId block = frontier.block();
  std::vector<Moved> pages;
  const auto take_up = [&](std::uint32_t position, Lpn lpn, Version version, std::uint32_t slots) {
    const bool current = current_.test(block, position);
    if (current) set_invalid(block, position);
    pages.push_back({lpn, version, slots, current, lost(Ppn{number(layout_.first_page(block)) + position})});
  };
  std::uint32_t before = frontier.staged_first();
  for (std::uint32_t left = frontier.begun_before(); left > 0; --left) {  // all alike
    before = DataSlots(layout_).before(before);
    take_up(before, kNoLpn, Version{0}, 0);
  }
  const std::uint32_t count = frontier.staged_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    take_up(frontier.staged_first() + i, frontier.staged_lpns()[i], frontier.staged_versions()[i],
            frontier.staged_slots()[i]);
  }
  counts_.failed_pages += pages.size();
  for (const Frontier::Waiting& page : frontier.waiting()) take_up(page.position, page.lpn, page.version, page.slots);
  const std::vector<Lpn> nobodys(count, kNoLpn);
  const std::vector<Version> none(count, Version{0});
  medium_.program(block, frontier.staged_first(), nobodys, none);
  if (errors_ != nullptr) note_program(frontier, frontier.staged_first());
  return pages;
}

void PageStore::stage_anew(Frontier& frontier, std::span<const Moved> pages) {
  const SuperblockId block = frontier.block();
  for (const Moved& page : pages) {
    const std::uint32_t position =
        frontier.stripe_complete()
            ? frontier.wait(page.lpn, page.version, page.slots, DataSlots(layout_).after(frontier.last()))
            : frontier.stage(page.lpn, page.version, false, static_cast<std::uint8_t>(page.slots));
    if (!page.current) continue;
    const Ppn ppn{number(layout_.first_page(block)) + position};
    set_valid(block, position);
    if (page.lpn != kNoLpn) map_.set(page.lpn, ppn);
    if (page.lost) errors_->mark(ppn);
  }
}

// At the end of life room is not kept for anything: any frontier will do, and the reserve.
const Frontier* PageStore::last_room(std::uint32_t slots) {
  FTLAB_DCHECK(slots > 0 && slots <= largest_page_, std::to_string(slots) + " slots for one page");
  for (Frontier& frontier : frontiers_) {
    if (frontier.room() >= slots) return &frontier;
  }
  for (Frontier& frontier : frontiers_) {
    if (frontier.has_room()) close_early(frontier);  // too little for the page
    if (frontier.room() >= slots) return &frontier;  // it goes on in another superblock
    if (frontier.staged_count() > 0 || !can_open(frontier)) continue;
    open(frontier, frontier.plan().always_pslc);
    return &frontier;
  }
  return nullptr;
}

}  // namespace ftlab
