// Programs stripes and erases superblocks. Updates the medium (contents), the work list (flash operations), the bit errors
// (which start over) and the bad block table (which decides what fails).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "ftl/blocks/bad_block_table.h"
#include "ftl/blocks/frontier.h"
#include "ftl/read/page_reader.h"
#include "ftl/write/stage.h"
#include "models/nand/array/medium.h"
#include "models/nand/reliability/media_errors.h"
#include "models/nand/schedule/work_list.h"

namespace ftlab {

class StripeWriter {
 public:
  // `health`, `errors`: null if the flash never fails, or has no bit errors. REQUIRES: all outlive it.
  StripeWriter(Medium& medium, WorkList& work, BadBlockTable* health, MediaErrors* errors)
      : layout_(medium.layout()), medium_(medium), work_(work), health_(health), errors_(errors) {}

  // Draws whether the program of a stage, or of a parity stripe, at `position` fails. All of its stripes are programmed,
  // even if the first one fails.
  bool fails(const Frontier& frontier, std::uint32_t position) {
    return health_ != nullptr && draws_failure(frontier, position);
  }
  // Writes the frontier's staged slots to the medium.
  void program(const Frontier& frontier, const Stage::Pages& pages) {
    const std::uint32_t first = frontier.next() - static_cast<std::uint32_t>(pages.lpns.size());
    FTLAB_DCHECK(first % layout_.pages_per_stripe() == 0, "a stage begins within a stripe");
    medium_.program(frontier.block(), first, pages.lpns, pages.versions, pages.slots);
    if (errors_ != nullptr) note_program(frontier, first);
  }
  // Lists the flash programs of the stage, with `host_pages` host pages.
  void list(const Frontier& frontier, const Stage& stage, std::uint32_t host_pages) {
    const std::uint8_t flags = stage.failed() ? WorkRecord::kAfterPrevious : 0;
    list(frontier, stage, frontier.next() - stage.count(), flags, host_pages);
  }
  // Programs the row's parity if `stage` was its last data stripe. Returns the number of slots that the parity takes.
  std::uint32_t program_parity(const Frontier& frontier, const Stage& stage) {
    return layout_.is_parity(layout_.stripe_of(frontier.next())) ? append_parity(frontier, stage) : 0;
  }
  // Programs copies of `lpns` at `source` + positions, in whole stripes, without looking at each page.
  void program_run(const Frontier& frontier, std::span<const Lpn> lpns, Ppn source,
                   std::span<const std::uint32_t> positions);
  // False if a block of it failed and no spare block is left for it.
  bool erase(SuperblockId block);

  // The program of the pages that the frontier stages next waits for `data`.
  void wait(const Frontier& frontier, Signal data) {
    work_.wait(frontier.number(), next_program(frontier), layout_.stripes_per_page(), data);
  }
  std::uint32_t next_program(const Frontier& frontier) const { return work_.next_program(frontier.number()); }

 private:
  bool draws_failure(const Frontier& frontier, std::uint32_t position);
  void note_program(const Frontier& frontier, std::uint32_t position);
  std::uint32_t append_parity(const Frontier& frontier, const Stage& stage);
  void list(const Frontier& frontier, const Stage& stage, std::uint32_t position, std::uint8_t flags,
            std::uint32_t host_pages);

  Layout layout_;
  Medium& medium_;
  WorkList& work_;
  BadBlockTable* health_;
  MediaErrors* errors_;
};

// Mapping pages larger than a stripe are programmed as several stripes, on consecutive dies.
inline void StripeWriter::list(const Frontier& frontier, const Stage& stage, std::uint32_t position, std::uint8_t flags,
                               std::uint32_t host_pages) {
  const std::uint32_t stripes = layout_.stripes_per_page();
  const bool internal = stage.internal();
  if (work_.count_programs(stripes, stripes * layout_.planes(), internal)) return;
  const std::uint32_t first = layout_.stripe_of(position);
  const std::uint32_t moved = stage.count() - std::min(stage.count(), host_pages);
  WorkList::Program program{};
  program.block = frontier.block();
  program.frontier = frontier.number();
  program.slc = frontier.pslc();
  program.flags = static_cast<std::uint8_t>(flags | (internal ? WorkRecord::kInRegister : 0) |
                                            (host_pages > 0 ? WorkRecord::kHostData : 0));
  for (std::uint32_t stripe = first; stripe < first + stripes; ++stripe) {
    const bool last = stripe + 1 == first + stripes;
    program.die = layout_.die_of(frontier.block(), stripe);
    program.nand_page = layout_.nand_page_of(stripe);
    program.host_pages = static_cast<std::uint16_t>(last ? host_pages : 0);
    program.moved_pages = static_cast<std::uint16_t>(last ? moved : 0);
    work_.program(program, layout_.planes());
    if ((flags & WorkRecord::kAfterPrevious) != 0)
      program.flags = static_cast<std::uint8_t>((program.flags & ~WorkRecord::kAfterPrevious) | WorkRecord::kWithPrevious);
  }
}

}  // namespace ftlab
