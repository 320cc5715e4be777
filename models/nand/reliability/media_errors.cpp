#include "models/nand/reliability/media_errors.h"

#include <algorithm>

namespace ftlab {
namespace {

std::uint32_t codewords_of_unit(const Geometry& geometry, const Layout& layout) {
  const std::uint32_t bytes = layout.slot_bytes() / layout.stripes_per_page();
  return std::max(bytes / geometry.codeword_bytes, 1u);
}

}  // namespace

MediaErrors::MediaErrors(const CellsConfig& config, const Geometry& geometry, const NandTiming& timing, const Medium& medium)
    : medium_(medium),
      cells_(config),
      ecc_(config, codeword_bits(geometry), codewords_of_unit(geometry, medium.layout())),
      specimen_(config.specimen),
      planned_reads_(config.planned_reads),
      rows_(geometry.pages_per_block),
      dies_(medium.layout().dies_per_superblock()),
      worst_kind_(*std::max_element(config.kinds_permille.begin(), config.kinds_permille.end()) / 1000.0),
      slot_bytes_(medium.layout().slot_bytes()),
      unit_bytes_(std::max(slot_bytes_, geometry.codeword_bytes)),
      written_s_(std::size_t{medium.layout().superblocks()} * rows_),
      reads_(std::size_t{medium.layout().superblocks()} * dies_.value()),
      slc_(medium.layout().superblocks()),
      lost_(medium.layout().page_count() / 64 + 1) {
  set_timing(timing);
  RetryCost cost;
  retry_.push_back(cost);
  for (const RetryStep& step : config.retry) {
    cost = {cost.array_reads + step.array_reads, cost.overhead + step.overhead};
    retry_.push_back(cost);
  }
}

void MediaErrors::set_timing(const NandTiming& timing) {
  kind_of_page_.clear();
  const auto kinds = static_cast<std::uint32_t>(timing.program.size());
  for (std::uint32_t page = 0; page < rows_; ++page)
    kind_of_page_.push_back(static_cast<std::uint8_t>(page_kind(timing.page_order, kinds, page, rows_)));
}

// The first stripe of a row dates it: no page in it is older.
void MediaErrors::program(SuperblockId block, std::uint32_t stripe, bool slc) {
  FTLAB_DCHECK(number(block) < slc_.size() && medium_.layout().nand_page_of(stripe) < rows_,
               "a stripe is programmed that there is not");
  if (stripe % dies_ == 0) written_s_[row(block, medium_.layout().nand_page_of(stripe))] = date_s_;
  slc_[number(block)] = slc;
}

void MediaErrors::erase(SuperblockId block) {
  std::fill_n(&reads_[number(block) * dies_.value()], dies_.value(), 0);
  if (marked_ == 0) return;
  const std::uint32_t first = number(medium_.layout().first_page(block));
  for (std::uint32_t p = 0; p < medium_.layout().pages_per_superblock(); ++p) unmark(Ppn{first + p});
}

// Rows are written in order, so the first one is the oldest.
MediaErrors::Rate MediaErrors::worst(SuperblockId block, std::uint32_t reads) const {
  const std::uint64_t* const before = &reads_[number(block) * dies_.value()];
  const double kind = slc_[number(block)] ? cells_.slc() : worst_kind_;
  return rate_of(block, kind, written_s_[row(block, 0)], reads + *std::max_element(before, before + dies_.value()));
}

void MediaErrors::mark(Ppn ppn) {
  if (lost(ppn)) return;
  lost_[number(ppn) / 64] |= std::uint64_t{1} << (number(ppn) % 64);
  ++marked_;
}

void MediaErrors::unmark(Ppn ppn) {
  if (!lost(ppn)) return;
  lost_[number(ppn) / 64] &= ~(std::uint64_t{1} << (number(ppn) % 64));
  --marked_;
}

void MediaErrors::unmark_unprogrammed() {
  const Layout& layout = medium_.layout();
  for (std::uint32_t b = 0; marked_ > 0 && b < layout.superblocks(); ++b) {
    const std::uint32_t first = number(layout.first_page(SuperblockId{b}));
    for (std::uint32_t p = medium_.programmed(SuperblockId{b}); p < layout.pages_per_superblock(); ++p)
      unmark(Ppn{first + p});
  }
}

}  // namespace ftlab
