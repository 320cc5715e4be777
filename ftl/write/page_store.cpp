#include "ftl/write/page_store.h"

#include "ftl/write/power_on_scan.h"

namespace ftlab {
namespace {

std::vector<Frontier> make_frontiers(const FtlConfig& config, const Layout& layout) {
  std::vector<Frontier> frontiers;
  for (const FrontierPlan& plan : config.frontiers())
    frontiers.emplace_back(layout, static_cast<std::uint8_t>(frontiers.size()), plan);
  return frontiers;
}

PageMap make_map(const FtlConfig& config, std::uint32_t host_lpns, const Layout& layout) {
  const bool extents = config.mapping.scheme == MappingConfig::Scheme::extent;
  return {host_lpns + config.mapping.translation_pages, layout, extents ? config.mapping.extents.region_pages : 0};
}

// A zone is erased whatever other zones have in RAM, because their pages replace none of its own.
PlacementConfig::Scheme erase_order(const FtlConfig& config) {
  return config.mapping.hybrid() && !config.mapping.merges() ? PlacementConfig::Scheme::streams : config.placement.scheme;
}

}  // namespace

PageStore::PageStore(const FtlConfig& config, std::uint32_t host_lpns, Medium& medium, WorkList& work, BadBlockTable* health,
                     MediaErrors* errors, const Deduplication* shared)
    : medium_(medium),
      layout_(medium.layout()),
      blocks_(layout_, config.blocks_options(layout_)),
      frontiers_(make_frontiers(config, layout_)),
      stages_(frontiers_.size(), Stage(layout_.pages_per_stripe())),
      pages_(make_map(config, host_lpns, layout_), blocks_, medium, frontiers_, stages_, errors, config.slots_per_page()),
      supply_(config, host_lpns, blocks_, medium, health),
      writer_(medium, work, health, errors),
      erases_(erase_order(config), blocks_, frontiers_, stages_),
      retry_({medium, blocks_, pages_, supply_, writer_, counts_}),
      moves_runs_(moves_runs(*this)) {
  if (errors != nullptr) errors->unmark_unprogrammed();
  scan_at_power_on({medium, blocks_, pages_, supply_, writer_, frontiers_, counts_}, host_lpns, !config.mapping.merges(),
                   shared);
}

// Updates the map before a stripe is programmed, since the last stripe of a superblock closes it.
void PageStore::stage_slots(Frontier& frontier, Lpn lpn, Version version, std::uint32_t slots, bool from_host, Signal data) {
  FTLAB_DCHECK(slots > 0 && slots <= pages_.largest_page(), std::to_string(slots) + " slots for one page");
  Stage& stage = stages_[frontier.number()];
  for (std::uint32_t left = slots; left > 0; --left) {
    if (left == slots || stage.count() == 0) {
      writer_.wait(frontier, data);
      note_replaced(frontier, pages_.map().find(lpn));
    }
    begin_stage(stage);
    const SuperblockId block = frontier.block();
    const StagedPage page = left == 1 ? StagedPage{lpn, version, slots} : StagedPage{kNoLpn, Version{0}, 0};
    const bool stuck = stage.complete();  // end of life: the rest of the page also stays in RAM
    std::uint32_t position;
    if (stuck) {
      position = stage.wait(page, frontier.next(), layout_);
      frontier.reserve_slot();
    } else {
      position = frontier.take();
      stage.add(page.lpn, page.version, from_host, static_cast<std::uint8_t>(page.slots));
    }
    pages_.gain(block, position, page.lpn);
    if (!stuck && stage.complete()) program_stage(frontier);
  }
}

void PageStore::pad(const Frontier& behind) {
  Frontier& frontier = own(behind);
  Stage& stage = stages_[frontier.number()];
  FTLAB_DCHECK(frontier.has_room() || stage.count() > 0, "padding behind a frontier without room");
  begin_stage(stage);
  frontier.take();
  stage.add(kNoLpn, Version{0}, false);
  ++counts_.pages_padded;
  if (stage.complete()) program_stage(frontier);
}

bool moves_runs(const PageStore& store) {
  return !store.supply().programs_fail() && store.pages().largest_page() == 1 && !store.medium().layout().has_parity();
}

void fill_stripe(PageStore& store, const Frontier& frontier) {
  const Stage& stage = store.stages()[frontier.number()];
  while (stage.count() > 0 && !stage.complete()) store.pad(frontier);
}

void PageStore::close_early(const Frontier& behind) {
  FTLAB_DCHECK(behind.used() > 0, "a superblock is closed that holds no page");
  Frontier& frontier = own(behind);
  const SuperblockId block = frontier.block();
  fill_stripe(*this, frontier);
  if (!frontier.has_room() || frontier.block() != block) return;  // closed by the padding or by its failed program
  frontier.leave();
  close_if_full(frontier);
}

const Frontier* last_room(PageStore& store, std::uint32_t slots) {
  for (const Frontier& frontier : store.frontiers())
    if (frontier.room() >= slots) return &frontier;
  for (const Frontier& frontier : store.frontiers()) {
    if (frontier.has_room()) store.close_early(frontier);  // too little for the page
    if (frontier.room() >= slots) return &frontier;        // it continues in another superblock
    if (store.stages()[frontier.number()].count() > 0 || !store.supply().can_open(frontier)) continue;
    store.open(frontier, frontier.plan().always_pslc);
    return &frontier;
  }
  return nullptr;
}

void PageStore::pass(Frontier& frontier, std::span<const Lpn> lpns, Ppn source, std::span<const std::uint32_t> positions) {
  const auto pages = static_cast<std::uint32_t>(positions.size());
  writer_.program_run(frontier, lpns, source, positions);
  newest_stage_ += pages / layout_.pages_per_stripe();
  stages_[frontier.number()].begin(newest_stage_);
  frontier.pass(pages);
  close_if_full(frontier);
  if (!erases_.empty()) erase_ready();
}

void PageStore::append_in_order(Frontier& frontier, Lpn first, Version first_version, std::uint32_t pages) {
  FTLAB_CHECK(frontier.room() >= pages, "frontier " + std::to_string(frontier.number()) + " has too little room");
  FTLAB_DCHECK(pages_.largest_page() == 1, "pages of several slots are written as if they took one");
  Stage& stage = stages_[frontier.number()];
  counts_.pages_appended += pages;
  counts_.host_pages_appended += pages;
  pages_.note_version(Version{number(first_version) + pages - 1});
  for (std::uint32_t done = 0; done < pages;) {
    const std::uint32_t begin = done;
    done += std::min(pages - done, stage.room());
    begin_stage(stage);
    pages_.replace_in_order(Lpn{number(first) + begin}, done - begin, frontier.block(), frontier.next(),
                            [&](Ppn old) { note_replaced(frontier, old); });
    for (std::uint32_t i = begin; i < done; ++i) stage.add(Lpn{number(first) + i}, Version{number(first_version) + i}, true);
    frontier.pass(done - begin);
    if (stage.complete()) program_stage(frontier);
  }
}

void PageStore::program_stage(Frontier& frontier) {
  Stage& stage = stages_[frontier.number()];
  FTLAB_DCHECK(stage.complete(), "an incomplete stripe is programmed");
  if (supply_.programs_fail() && !retry_.find_place(frontier, stage)) return;
  writer_.program(frontier, stage.pages());
  const std::uint32_t host_pages = stage.host_pages();
  writer_.list(frontier, stage, host_pages - std::min(static_cast<std::uint32_t>(stage.waiting().size()), host_pages));
  if (layout_.has_parity()) {
    const std::uint32_t parity = writer_.program_parity(frontier, stage);
    counts_.parity_pages += parity;
    frontier.skip(parity);
  }
  if (stage.waiting().empty()) {
    stage.clear();
    erases_.forget_replaced(frontier);
  } else {
    frontier.skip(stage.advance());
  }
  close_if_full(frontier);
  if (!erases_.empty()) erase_ready();
}

void PageStore::close_if_full(Frontier& frontier) {
  FTLAB_DCHECK(frontier.block() != kNoBlock, "a frontier without a superblock is closed");
  if (frontier.has_room()) return;
  medium_.close(frontier.block());
  blocks_.close(frontier.block(), counts_.pages_appended);
}

void PageStore::set_past(std::span<const std::uint64_t> closed_at, std::uint64_t pages, std::uint64_t erased_superblocks) {
  FTLAB_CHECK(closed_at.size() == blocks_.count(), "closing times of other superblocks");
  blocks_.set_closing_times(closed_at);
  counts_.pages_appended += pages;
  counts_.superblocks_erased += erased_superblocks;
}

void PageStore::open(const Frontier& behind, bool pslc) {
  Frontier& frontier = own(behind);
  FTLAB_CHECK(!frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is not full yet");
  FTLAB_CHECK(stages_[frontier.number()].count() == 0,
              "frontier " + std::to_string(frontier.number()) + " holds data in RAM");
  frontier.open(supply_.open(frontier, pslc, counts_.host_pages_appended), pslc);
}

void PageStore::reclaim(SuperblockId block) {
  FTLAB_DCHECK(blocks_.valid(block) == 0, "a superblock is reclaimed that holds current pages");
  blocks_.empty(block);
  const BadBlockTable* const health = supply_.health();
  erases_.add(block, newest_stage_, health != nullptr && health->next_erase_may_fail(block));
  erase_ready();
}

void PageStore::erase_ready() {
  erases_.erase_ready([this](SuperblockId block) {
    const bool reusable = writer_.erase(block);
    ++counts_.superblocks_erased;
    blocks_.erased(block, reusable);
    if (!reusable) supply_.retire(block);
  });
}

}  // namespace ftlab
