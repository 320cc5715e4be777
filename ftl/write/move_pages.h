// PageStore::move(), for the code that moves pages.
#pragma once

#include <algorithm>

#include "ftl/write/page_store.h"

namespace ftlab {

template <class Feed>
std::uint32_t PageStore::move(SuperblockId from, const PageRun& run, std::uint32_t first, std::uint32_t end,
                              const Frontier& behind, bool internal, Feed&& feed) {
  Frontier& frontier = own(behind);
  Stage& stage = stages_[frontier.number()];
  FTLAB_CHECK(frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is full");
  const bool whole_stripes = moves_runs_ && !internal;
  std::uint32_t count = std::min(end - first, frontier.room());
  if (!whole_stripes) count = std::min(count, stage.room());
  const std::uint32_t stripe = layout_.pages_per_stripe();
  const Ppn source = layout_.first_page(from);
  const std::span<const std::uint32_t> positions = std::span(run.pages).subspan(first, count);
  const std::span<const Lpn> lpns = std::span(run.lpns).subspan(first, count);
  pages_.move(lpns, from, positions, frontier.block(), frontier.next(), run.sorted);
  counts_.pages_appended += count;
  for (std::uint32_t moved = 0; moved < count;) {
    // Whole stripes bypass the stage. Only the rest of a stripe begun earlier and the start of the last one are staged.
    if (whole_stripes && stage.count() == 0 && count - moved >= stripe) {
      const std::uint32_t pages = layout_.next_stripe(count - moved) - stripe;
      feed(first + moved, first + moved + pages, writer_.next_program(frontier));
      pass(frontier, lpns.subspan(moved, pages), source, positions.subspan(moved, pages));
      moved += pages;
      continue;
    }
    const std::uint32_t staged = moved + std::min(count - moved, stage.room());
    begin_stage(stage);
    feed(first + moved, first + staged, writer_.next_program(frontier));
    note_replaced(frontier, source);
    for (; moved < staged; ++moved, frontier.take())
      stage.add(lpns[moved], medium_.pages().version(Ppn{number(source) + positions[moved]}), false, 1, internal);
    if (stage.complete()) program_stage(frontier);
  }
  return count;
}

}  // namespace ftlab
