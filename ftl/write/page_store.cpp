#include "ftl/write/page_store.h"
#include "models/nand/array/data_slots.h"

#include <algorithm>
#include <array>

namespace ftlab {
namespace {

std::vector<Frontier> make_frontiers(const FtlConfig& config, const Layout& layout) {
  std::vector<Frontier> frontiers;
  for (const FrontierPlan& plan : config.frontiers()) {
    frontiers.emplace_back(layout, static_cast<std::uint8_t>(frontiers.size()), plan);
  }
  return frontiers;
}

}  // namespace

PageStore::PageStore(const FtlConfig& config, std::uint32_t host_lpns, Medium& medium, WorkList& work, BadBlockTable* health,
                     MediaErrors* errors, const Deduplication* shared)
    : layout_(medium.layout()),
      medium_(medium),
      work_(work),
      health_(health),
      errors_(errors),
      map_(host_lpns + config.mapping.translation_pages, layout_,
           config.mapping.scheme == MappingConfig::Scheme::extent ? config.mapping.extents.region_pages : 0),
      frontiers_(make_frontiers(config, layout_)),
      blocks_(layout_, config.blocks_options(layout_)),
      current_(layout_),
      reserve_(config.pool_count()),
      waiting_(config.pool_count()),
      host_lpns_(host_lpns),
      largest_page_(config.slots_per_page()),
      free_order_(config.wear.least_worn_first ? FreeOrder::least_worn : FreeOrder::fifo),
      levels_cache_(config.slc.superblocks > 0 && health != nullptr),
      scheme_(config.placement.scheme),
      reopens_(!config.mapping.hybrid()) {
  for (std::uint32_t pool = 0; pool < reserve_.size(); ++pool) reserve_[pool] = config.reserve(pool);
  if (health_ != nullptr) set_needs(config);
  recover(shared);
}

void PageStore::invalidate(Lpn lpn) {
  const Ppn old = map_.find(lpn);
  if (old == kNoPpn) return;
  const SuperblockId block = layout_.block_of(old);
  if (largest_page_ == 1) return set_invalid(block, layout_.position(old));
  DataSlots(layout_).each(layout_.position(old), slots_at(old),
                          [&](std::uint32_t position) { set_invalid(block, position); });
}

void PageStore::unmap(Lpn lpn) {
  if (map_.find(lpn) == kNoPpn) return;
  invalidate(lpn);
  map_.clear(lpn);
  --mapped_pages_;
}

void PageStore::append(const Frontier& behind, Lpn lpn, Version version, std::uint32_t slots, bool from_host, Signal data) {
  FTLAB_CHECK(behind.room() >= slots, "frontier " + std::to_string(behind.number()) + " has too little room");
  FTLAB_DCHECK(slots > 0 && slots <= largest_page_, std::to_string(slots) + " slots for one page");
  mapped_pages_ += map_.find(lpn) == kNoPpn;
  counts_.host_pages_appended += from_host;
  if (from_host && number(version) > number(newest_version_)) newest_version_ = version;
  stage_page(own(behind), lpn, version, slots, from_host, data);
}

// The map knows the new slot before the last stripe of it may be programmed and its superblock closed.
void PageStore::stage_page(Frontier& frontier, Lpn lpn, Version version, std::uint32_t slots, bool from_host, Signal data) {
  counts_.pages_appended += slots;
  for (std::uint32_t left = slots; left > 0; --left) {
    if (left == slots || frontier.staged_count() == 0) {
      wait(frontier, data);
      note_replaced(frontier, map_.find(lpn));
    }
    begin_stage(frontier);
    const SuperblockId block = frontier.block();
    const bool last = left == 1;
    const Lpn carried = last ? lpn : kNoLpn;
    const Version carried_version = last ? version : Version{0};
    const std::uint32_t carried_slots = last ? slots : 0;
    const bool stuck = frontier.stripe_complete();  // the drive is at its end: the rest of the page stays in RAM, too
    const std::uint32_t position =
        stuck ? frontier.wait(carried, carried_version, carried_slots, DataSlots(layout_).after(frontier.last()))
              : frontier.stage(carried, carried_version, from_host, static_cast<std::uint8_t>(carried_slots));
    set_valid(block, position);
    if (last) map_.set(lpn, Ppn{number(layout_.first_page(block)) + position});
    if (!stuck && frontier.stripe_complete()) program_stage(frontier);
  }
}

void PageStore::relocate_packed(Ppn ppn, const Frontier& behind, Signal data) {
  Frontier& frontier = own(behind);
  const Lpn lpn = medium_.pages().lpn(ppn);
  const std::uint32_t slots = medium_.pages().slots(ppn);
  FTLAB_CHECK(map_.find(lpn) == ppn, "relocated page is not the current one");
  FTLAB_CHECK(frontier.room() >= slots, "frontier " + std::to_string(frontier.number()) + " has too little room");
  const SuperblockId from = layout_.block_of(ppn);
  DataSlots(layout_).each(layout_.position(ppn), slots, [&](std::uint32_t position) { set_invalid(from, position); });
  const bool was_lost = lost(ppn);
  stage_page(frontier, lpn, medium_.pages().version(ppn), slots, false, data);
  if (was_lost) mark_lost(map_.find(lpn));
}

void PageStore::pad(const Frontier& frontier) {
  while (frontier.staged_count() > 0 && !frontier.stripe_complete()) pad_one(frontier);  // complete: it found no slot
}

void PageStore::pad_one(const Frontier& behind) {
  FTLAB_DCHECK(behind.has_room() || behind.staged_count() > 0, "padding behind a frontier without room");
  Frontier& frontier = own(behind);
  begin_stage(frontier);
  frontier.stage(kNoLpn, Version{0}, false);
  ++counts_.pages_padded;
  if (frontier.stripe_complete()) program_stage(frontier);
}

void PageStore::close_early(const Frontier& behind) {
  FTLAB_DCHECK(behind.used() > 0, "a superblock is closed that holds no page");
  Frontier& frontier = own(behind);
  const SuperblockId block = frontier.block();
  pad(frontier);
  if (!frontier.has_room() || frontier.block() != block) return;  // the padding closed it, or failed, which did
  frontier.leave();
  close_if_full(frontier);
}

// Whole stripes, without a look at each page.
void PageStore::program_run(std::span<const Lpn> lpns, Ppn source, std::span<const std::uint32_t> positions,
                            Frontier& frontier) {
  const std::uint32_t stripe = layout_.pages_per_stripe();
  const auto pages = static_cast<std::uint32_t>(positions.size());
  medium_.program_copies(frontier.block(), frontier.next(), lpns, source, positions);
  const StripeWalk walk(layout_, frontier.block(), layout_.stripe_of(frontier.next()));
  const std::uint32_t per_page = layout_.stripes_per_page(), programs = pages / stripe * per_page;
  const WorkList::Program program{
      {}, 0, frontier.block(), frontier.number(), frontier.pslc(), 0, 0, static_cast<std::uint16_t>(stripe)};
  if (!work_.count_programs(programs, programs * layout_.planes(), false))
    work_.program_run(program, layout_.planes(), walk, programs, per_page);
  for (std::uint32_t done = 0; errors_ != nullptr && done < pages; done += stripe)
    note_program(frontier, frontier.next() + done);
  newest_stage_ += pages / stripe;
  frontier.pass(pages, newest_stage_);
  close_if_full(frontier);
  if (!pending_erases_.empty()) erase_pending();
}

void PageStore::program_stage(Frontier& frontier) {
  if (health_ != nullptr && !outlive_failed_programs(frontier)) return;
  const std::uint32_t first = frontier.staged_first();
  medium_.program(frontier.block(), first, frontier.staged_lpns(), frontier.staged_versions(), frontier.staged_slots());
  if (errors_ != nullptr) note_program(frontier, first);
  const auto waiting = static_cast<std::uint32_t>(frontier.waiting().size());
  const std::uint32_t waiting_host_pages = std::min(waiting, frontier.staged_host_pages());  // held to be the last ones
  const std::uint32_t host_pages = frontier.staged_host_pages() - waiting_host_pages;
  program_stripes(frontier, first, frontier.stage_failed() ? WorkRecord::kAfterPrevious : 0, host_pages);
  if (layout_.has_parity()) program_parity(frontier);
  frontier.clear_stage();
  if (waiting > 0) frontier.stage_waiting(waiting_host_pages);
  close_if_full(frontier);
  if (!pending_erases_.empty()) erase_pending();
}

// The row's parity is known when its last data stripe is.
void PageStore::program_parity(Frontier& frontier) {
  if (!layout_.is_parity(layout_.stripe_of(frontier.next()))) return;
  const std::uint32_t pages = layout_.pages_per_stripe();
  // When it fails, the row goes without, and its block is taken out later.
  const bool failed = health_ != nullptr && program_fails(frontier, frontier.next());
  const std::vector<Lpn> lpns(pages, kNoLpn);
  const std::vector<Version> versions(pages, Version{0});
  medium_.program(frontier.block(), frontier.next(), lpns, versions);
  if (errors_ != nullptr) note_parity(frontier, failed);
  program_stripes(frontier, frontier.next(), WorkRecord::kWithPrevious, 0);
  counts_.parity_pages += pages;
  frontier.skip(pages);
}

void PageStore::note_program(const Frontier& frontier, std::uint32_t position) {
  FTLAB_DCHECK(errors_ != nullptr, "a program of a flash without errors is noted");
  const std::uint32_t first = layout_.stripe_of(position);
  for (std::uint32_t stripe = first; stripe < first + layout_.stripes_per_page(); ++stripe)
    errors_->program(frontier.block(), stripe, frontier.pslc());
}

// A failed stripe of parity leaves its row without.
void PageStore::note_parity(const Frontier& frontier, bool failed) {
  note_program(frontier, frontier.next());
  if (failed) errors_->mark(Ppn{number(layout_.first_page(frontier.block())) + frontier.next()});
}

void PageStore::carry_marks(SuperblockId from, std::span<const std::uint32_t> positions, SuperblockId to,
                            std::uint32_t first) {
  for (const std::uint32_t position : positions) {
    if (errors_->lost().has(Ppn{number(layout_.first_page(from)) + position}))
      errors_->mark(Ppn{number(layout_.first_page(to)) + first});
    ++first;
  }
}

void PageStore::close_if_full(Frontier& frontier) {
  FTLAB_DCHECK(frontier.block() != kNoBlock, "a frontier without a superblock is closed");
  if (frontier.has_room()) return;
  medium_.close(frontier.block());
  blocks_.close(frontier.block(), counts_.pages_appended);
}

const Frontier* PageStore::oldest_staged(std::uint32_t pool) const {
  const Frontier* oldest = nullptr;
  for (const Frontier& frontier : frontiers_) {
    const auto waited_for = [&](const PendingErase& pending) {
      return blocks_.columns().pool[pending.block] == pool && holds_up(frontier, pending);
    };
    if (std::none_of(pending_erases_.begin(), pending_erases_.end(), waited_for)) continue;
    if (oldest == nullptr || frontier.stage_id() < oldest->stage_id()) oldest = &frontier;
  }
  return oldest;
}

bool PageStore::holds_up(const Frontier& frontier, const PendingErase& pending) const {
  if (frontier.staged_count() == 0) return false;
  const SuperblockId block{static_cast<std::uint32_t>(pending.block)};
  if (scheme_ == PlacementConfig::Scheme::streams) return frontier.replaces_in(block);
  if (scheme_ == PlacementConfig::Scheme::pools && frontier.plan().pool != blocks_.columns().pool[number(block)])
    return false;
  return frontier.stage_id() <= pending.stage;
}

void PageStore::erase_pending() {
  std::erase_if(pending_erases_, [this](const PendingErase& waiting) {
    const SuperblockId block{static_cast<std::uint32_t>(waiting.block)};
    const auto holds = [&](const Frontier& frontier) { return holds_up(frontier, waiting); };
    if (std::any_of(frontiers_.begin(), frontiers_.end(), holds)) return false;
    --waiting_[blocks_.columns().pool[number(block)]];
    erase(block);
    return true;
  });
}

std::span<const Rule<PageStore>> PageStore::rules() {
  static constexpr Rule<PageStore> kRules[] = {
      {"a frontier lies in a superblock that does not exist.",
       [](const PageStore& store) {
         return each(store.frontiers_, [&](const Frontier& frontier) {
           return frontier.block() == kNoBlock || number(frontier.block()) < store.blocks_.count();
         });
       }},
      {"a superblock to be erased does not exist.",
       [](const PageStore& store) {
         return each(store.pending_erases_, [&](const PendingErase& one) { return one.block < store.blocks_.count(); });
       }},
      {"a reclaim unit has a superblock that does not exist.",
       [](const PageStore& store) {
         return each(store.frontiers_,
                     [&](const Frontier& frontier) { return each_below(frontier.set_aside(), store.blocks_.count()); });
       }},
      {"a superblock waits for its erase, but for nothing that is staged.",
       [](const PageStore& store) { return store.waits_are_sound(); }},
  };
  return kRules;
}

bool PageStore::waits_are_sound() const {
  std::vector<std::uint32_t> waiting(waiting_.size());
  const auto is_held_up = [this](const PendingErase& pending_erase) {
    const SuperblockId block{static_cast<std::uint32_t>(pending_erase.block)};
    const auto waited_for = [&](const Frontier& frontier) { return holds_up(frontier, pending_erase); };
    return blocks_.state(block) == BlockState::pending_erase &&
           std::any_of(frontiers_.begin(), frontiers_.end(), waited_for);
  };
  for (const PendingErase& pending_erase : pending_erases_) {
    if (!is_held_up(pending_erase)) return false;
    ++waiting[blocks_.columns().pool[pending_erase.block]];
  }
  return waiting == waiting_;
}

void PageStore::open(const Frontier& behind, bool pslc) {
  Frontier& frontier = own(behind);
  FTLAB_CHECK(!frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is not full yet");
  FTLAB_CHECK(frontier.staged_count() == 0, "frontier " + std::to_string(frontier.number()) + " holds data in RAM");
  frontier.open(take_free(frontier, pslc), pslc);
}

SuperblockId PageStore::take_free(Frontier& frontier, bool pslc) {
  const std::uint32_t pool = frontier.plan().pool;
  if (frontier.set_aside().empty()) {
    for (std::uint32_t left = std::min(frontier.plan().superblocks, blocks_.free().count(pool)); left > 0; --left)
      frontier.set_aside(
          blocks_.open(pool, counts_.host_pages_appended, free_order(pool), medium_.superblocks().erase_counts()));
  }
  const SuperblockId block = frontier.take_set_aside();
  medium_.open(block, frontier.number(), pslc);
  return block;
}

void PageStore::reclaim(SuperblockId block) {
  FTLAB_DCHECK(blocks_.state(block) == BlockState::collecting && blocks_.valid(block) == 0,
               "a superblock is reclaimed that holds current pages");
  blocks_.empty(block);
  pending_erases_.push_back({number(block), newest_stage_});
  ++waiting_[blocks_.columns().pool[number(block)]];
  erase_pending();
}

void PageStore::erase(SuperblockId block) {
  medium_.erase(block);
  if (errors_ != nullptr) errors_->erase(block);
  for (std::uint32_t die = 0; die < layout_.dies_per_superblock(); ++die)
    work_.erase(layout_.die_of(block, die), block, layout_.planes(), medium_.superblocks().erases(block));
  ++counts_.superblocks_erased;
  if (health_ == nullptr) {
    blocks_.erased(block);
  } else {
    release_or_retire(block);
  }
}

Lpn PageStore::lpn_at(Ppn ppn) const {
  return staged(ppn) ? staging(ppn).staged_lpn(layout_.position(ppn)) : medium_.pages().lpn(ppn);
}

Version PageStore::version_at(Ppn ppn) const {
  return staged(ppn) ? staging(ppn).staged_version(layout_.position(ppn)) : medium_.pages().version(ppn);
}

std::uint32_t PageStore::slots_at(Ppn ppn) const {
  return staged(ppn) ? staging(ppn).staged_slots(layout_.position(ppn)) : medium_.pages().slots(ppn);
}

const Frontier& PageStore::staging(Ppn ppn) const {
  const SuperblockId block = layout_.block_of(ppn);
  for (const Frontier& frontier : frontiers_) {  // a full one still names a superblock that another may have opened since
    if (frontier.block() != block || frontier.staged_count() == 0) continue;
    FTLAB_CHECK(layout_.position(ppn) >= frontier.staged_first(),
                "page " + std::to_string(number(ppn)) + " was programmed, but the flash does not hold it");
    return frontier;
  }
  FTLAB_CHECK(false, "page " + std::to_string(number(ppn)) + " is neither programmed nor staged");
}

}  // namespace ftlab
