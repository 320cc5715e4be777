#include "ftl/write/stage_retry.h"
#include "models/nand/array/data_slots.h"

namespace ftlab {

// The same superblock must also have room for the rest of a page that is being staged.
bool StageRetry::find_place(Frontier& frontier, Stage& stage) {
  while (parts_.writer.fails(frontier, frontier.next() - stage.count())) {
    const std::uint32_t needed = stage.count() + stage.begun_before() + parts_.pages.largest_page() - 1;
    if (!parts_.supply.can_open(frontier) && frontier.room() < needed) {
      frontier.leave();
      parts_.supply.wear_out();
      return false;
    }
    move(frontier, stage);
  }
  return true;
}

void StageRetry::move(Frontier& frontier, Stage& stage) {
  FTLAB_DCHECK(stage.count() > 0, "an empty stage has failed");
  parts_.writer.list(frontier, stage, 0);
  const std::vector<Moved> pages = take_up(frontier, stage);
  if (parts_.supply.can_open(frontier)) {
    parts_.medium.close(frontier.block());
    parts_.blocks.close(frontier.block(), parts_.counts.pages_appended);
    const bool pslc = frontier.pslc();
    frontier.open(parts_.supply.open(frontier, pslc, parts_.counts.host_pages_appended), pslc);
  } else {
    const std::uint32_t parity = parts_.writer.program_parity(frontier, stage);
    parts_.counts.parity_pages += parity;
    frontier.skip(parity);
    frontier.free_slots(static_cast<std::uint32_t>(stage.waiting().size()));
  }
  stage.restart();
  stage_again(frontier, stage, pages);
}

// Removes the slots from the page table, in order of writing, with the earlier slots of the first page. They have no
// position until they are staged again; the failed stripe is programmed without LPNs.
std::vector<StageRetry::Moved> StageRetry::take_up(const Frontier& frontier, const Stage& stage) {
  const SuperblockId block = frontier.block();
  std::vector<Moved> pages;
  const auto take = [&](std::uint32_t position, const StagedPage& page) {
    const bool current = parts_.pages.current().test(block, position);
    if (current) parts_.pages.lose(block, position);
    pages.push_back({page, current, parts_.pages.lost(Ppn{number(layout_.first_page(block)) + position})});
  };
  const std::uint32_t first = frontier.next() - stage.count();
  std::uint32_t before = first;
  for (std::uint32_t left = stage.begun_before(); left > 0; --left) {  // none carries the LPN
    before = DataSlots(layout_).before(before);
    take(before, {kNoLpn, Version{0}, 0});
  }
  for (std::uint32_t i = first; i < frontier.next(); ++i) take(i, stage.at(i, frontier.next()));
  parts_.counts.failed_pages += pages.size();
  for (const Stage::Waiting& one : stage.waiting()) take(one.position, one.page);
  const std::vector<Lpn> nobodys(stage.count(), kNoLpn);
  const std::vector<Version> none(stage.count(), Version{0});
  parts_.writer.program(frontier, {nobodys, none, {}});
  return pages;
}

void StageRetry::stage_again(Frontier& frontier, Stage& stage, std::span<const Moved> pages) {
  const SuperblockId block = frontier.block();
  for (const auto& [page, current, lost] : pages) {
    std::uint32_t position;
    if (stage.complete()) {
      position = stage.wait(page, frontier.next(), layout_);
      frontier.reserve_slot();
    } else {
      position = frontier.take();
      stage.add(page.lpn, page.version, false, static_cast<std::uint8_t>(page.slots));
    }
    if (!current) continue;
    parts_.pages.gain(block, position, page.lpn);
    if (lost) parts_.pages.mark_lost(Ppn{number(layout_.first_page(block)) + position});
  }
}

}  // namespace ftlab
