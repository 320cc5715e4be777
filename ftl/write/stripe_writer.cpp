#include "ftl/write/stripe_writer.h"

namespace ftlab {

bool StripeWriter::draws_failure(const Frontier& frontier, std::uint32_t position) {
  FTLAB_DCHECK(frontier.block() != kNoBlock, "a program of no superblock");
  bool any = false;
  const std::uint32_t first = layout_.stripe_of(position);
  for (std::uint32_t stripe = first; stripe < first + layout_.stripes_per_page(); ++stripe)
    any |= health_->program_fails(frontier.block(), layout_.die_of(frontier.block(), stripe));
  return any;
}

void StripeWriter::note_program(const Frontier& frontier, std::uint32_t position) {
  FTLAB_DCHECK(errors_ != nullptr, "a program of a flash without errors is noted");
  const std::uint32_t first = layout_.stripe_of(position);
  for (std::uint32_t stripe = first; stripe < first + layout_.stripes_per_page(); ++stripe)
    errors_->program(frontier.block(), stripe, frontier.pslc());
}

// If it fails, the row has no parity, and the failed block is taken out later.
std::uint32_t StripeWriter::append_parity(const Frontier& frontier, const Stage& stage) {
  const std::uint32_t position = frontier.next(), pages = layout_.pages_per_stripe();
  const bool failed = fails(frontier, position);
  const std::vector<Lpn> lpns(pages, kNoLpn);
  const std::vector<Version> versions(pages, Version{0});
  medium_.program(frontier.block(), position, lpns, versions);
  if (errors_ != nullptr) {
    note_program(frontier, position);
    if (failed) errors_->mark(Ppn{number(layout_.first_page(frontier.block())) + position});
  }
  list(frontier, stage, position, WorkRecord::kWithPrevious, 0);
  return pages;
}

void StripeWriter::program_run(const Frontier& frontier, std::span<const Lpn> lpns, Ppn source,
                               std::span<const std::uint32_t> positions) {
  const std::uint32_t stripe = layout_.pages_per_stripe();
  const auto pages = static_cast<std::uint32_t>(positions.size());
  FTLAB_DCHECK(pages % stripe == 0, "a run ends within a stripe");
  medium_.program_copies(frontier.block(), frontier.next(), lpns, source, positions);
  const StripeWalk walk(layout_, frontier.block(), layout_.stripe_of(frontier.next()));
  const std::uint32_t per_page = layout_.stripes_per_page(), programs = layout_.stripe_of(pages);
  const WorkList::Program program{
      {}, 0, frontier.block(), frontier.number(), frontier.pslc(), 0, 0, static_cast<std::uint16_t>(stripe)};
  if (!work_.count_programs(programs, programs * layout_.planes(), false))
    work_.program_run(program, layout_.planes(), walk, programs, per_page);
  for (std::uint32_t done = 0; errors_ != nullptr && done < pages; done += stripe)
    note_program(frontier, frontier.next() + done);
}

bool StripeWriter::erase(SuperblockId block) {
  medium_.erase(block);
  if (errors_ != nullptr) errors_->erase(block);
  for (std::uint32_t die = 0; die < layout_.dies_per_superblock(); ++die)
    work_.erase(layout_.die_of(block, die), block, layout_.planes(), medium_.superblocks().erases(block));
  if (health_ == nullptr) return true;
  if (!health_->erase(block)) return false;
  for (const std::uint32_t lane : health_->replaced_lanes())
    work_.erase(layout_.die_of(block, lane / layout_.planes()), block, 1, medium_.superblocks().erases(block), true);
  return true;
}

}  // namespace ftlab
