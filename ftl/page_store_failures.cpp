// What becomes of data and superblocks when the flash fails.
//
// A failed program spoils its whole stripe. The data are in RAM still: the superblock is closed as it is, and they begin the
// next free one; without a free one they go to the next stripe of the same superblock. What finds no room there either stays
// in RAM, and the drive is at its end. The stage keeps its number, so that nothing is erased that its pages replace.
//
// A superblock whose erase fails is made whole with spare blocks or given up by its pool. A pool with fewer superblocks than
// it needs to make progress is the end, too.
#include <algorithm>

#include "ftl/page_store.h"

namespace ftlab {

void PageStore::set_needs(const FtlConfig& config) {
  needed_.resize(config.pool_count());
  for (std::uint32_t pool = 0; pool < needed_.size(); ++pool) {
    needed_[pool] = superblocks_needed_of(config, layout_, pool, host_lpns_);
  }
}

bool PageStore::has_failed() const {
  return health_ != nullptr &&
         (blocks_.retired_count() > 0 || health_->program_failures() > 0 || health_->erase_failures() > 0);
}

// The one with the most superblocks beyond what it needs; the factory's bad blocks are its.
std::uint32_t PageStore::richest_pool() const {
  const auto spare = [this](std::uint32_t pool) {
    return std::int64_t{blocks_.quota(pool)} - static_cast<std::int64_t>(needed_[pool]);
  };
  std::uint32_t richest = 0;
  for (std::uint32_t pool = 1; pool < needed_.size(); ++pool) {
    if (spare(pool) > spare(richest)) richest = pool;
  }
  return richest;
}

void PageStore::retire_at_start() {
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
    if (!health_->defects().retired(BlockId{b})) continue;
    if (health_->charged_pool(BlockId{b}) == FlashHealth::kNoPool) health_->charge(BlockId{b}, richest_pool());
    blocks_.retire_unused(BlockId{b}, health_->charged_pool(BlockId{b}));
  }
  blocks_.rebuild_free_list();
  for (std::uint32_t pool = 0; pool < needed_.size(); ++pool) worn_out_ |= blocks_.quota(pool) < needed_[pool];
}

void PageStore::release_or_retire(BlockId block) {
  if (health_->erase(block)) {
    for (const std::uint32_t lane : health_->replaced_lanes()) {
      const Die die = layout_.die_of(block, lane / layout_.planes());
      Nanoseconds& erased_at = erased_at_[number(block)];
      erased_at = std::max(erased_at, backend_.erase(erased_at, die, block));
    }
    blocks_.release(block);
    return;
  }
  const std::uint32_t pool = blocks_.pool(block);
  blocks_.retire(block);
  health_->charge(block, pool);
  worn_out_ |= blocks_.quota(pool) < needed_[pool];
}

// Of the stripes of one stage, or of one stripe of parity, at `position`. All are programmed, whatever the first ones do.
bool PageStore::program_fails(const Frontier& frontier, std::uint32_t position) {
  bool any = false;
  const std::uint32_t first = layout_.stripe_of(position);
  for (std::uint32_t stripe = first; stripe < first + layout_.stripes_per_page(); ++stripe) {
    any |= health_->program_fails(frontier.block(), layout_.die_of(frontier.block(), stripe));
  }
  return any;
}

bool PageStore::outlive_failed_programs(Frontier& frontier) {
  while (program_fails(frontier, frontier.staged_first())) {
    if (blocks_.free_count(frontier.plan().pool) == 0 && frontier.room() < frontier.staged_count()) {
      frontier.leave();
      worn_out_ = true;
      return false;
    }
    move_failed_stage(frontier);
  }
  return true;
}

void PageStore::move_failed_stage(Frontier& frontier) {
  const BlockId old = frontier.block();
  const std::uint32_t spoiled = number(layout_.first_page(old)) + frontier.staged_first();
  const Nanoseconds failed = program_stripes(frontier, frontier.staged_first(), frontier.staged_ready());
  const std::vector<Lpn> current = spoil_stripe(frontier);
  if (blocks_.free_count(frontier.plan().pool) > 0) {
    medium_.close(old);
    blocks_.close(old, pages_put_);
    const BlockId next = take_free(frontier, frontier.fast());
    frontier.restage(next, erased_at_[number(next)], failed);
  } else {
    if (layout_.has_parity()) program_parity(frontier);
    frontier.restage_behind(failed);
  }
  const std::uint32_t first = number(layout_.first_page(frontier.block())) + frontier.staged_first();
  for (std::uint32_t i = 0; i < current.size(); ++i) {
    if (current[i] == kNoLpn) continue;
    map_.set(current[i], Ppn{first + i});
    blocks_.set_valid(frontier.block(), frontier.staged_first() + i);
    if (lost(Ppn{spoiled + i})) errors_->mark(Ppn{first + i});
  }
}

// Returns which of the staged pages are current, the others as kNoLpn; they are at home nowhere until they are restaged.
std::vector<Lpn> PageStore::spoil_stripe(const Frontier& frontier) {
  const std::uint32_t first = frontier.staged_first();
  std::vector<Lpn> current(frontier.staged_lpns().begin(), frontier.staged_lpns().end());
  for (std::uint32_t i = 0; i < current.size(); ++i) {
    const Ppn place{number(layout_.first_page(frontier.block())) + first + i};
    if (current[i] != kNoLpn && map_.find(current[i]) != place) current[i] = kNoLpn;
    if (current[i] != kNoLpn) blocks_.set_invalid(frontier.block(), first + i);
  }
  const std::vector<Lpn> nobodys(current.size(), kNoLpn);
  const std::vector<Version> none(current.size(), Version{0});
  medium_.program(frontier.block(), first, nobodys, none);
  if (errors_ != nullptr) note_program(frontier, first);
  failed_pages_ += current.size();
  return current;
}

// At the end of life room is not kept for anything: any frontier will do, and the reserve.
Frontier* PageStore::last_room() {
  for (Frontier& frontier : frontiers_) {
    if (frontier.has_room()) return &frontier;
  }
  for (Frontier& frontier : frontiers_) {
    if (frontier.staged_count() > 0 || blocks_.free_count(frontier.plan().pool) == 0) continue;
    open(frontier, programmed_at(frontier), frontier.plan().always_fast);
    return &frontier;
  }
  return nullptr;
}

}  // namespace ftlab
