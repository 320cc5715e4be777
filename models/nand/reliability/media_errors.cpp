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
      worst_kind_(*std::max_element(config.kinds_permille.begin(), config.kinds_permille.end()) / 1000.0),
      specimen_(config.specimen),
      packed_units_(medium.layout().slot_bytes(), geometry.codeword_bytes),
      planned_reads_(config.planned_reads),
      history_(medium.layout(), geometry.pages_per_block),
      lost_(medium.layout().page_count()) {
  const auto kinds = static_cast<std::uint32_t>(timing.program.size());
  for (std::uint32_t page = 0; page < geometry.pages_per_block; ++page)
    kind_of_page_.push_back(static_cast<std::uint8_t>(page_kind(timing.page_order, kinds, page, geometry.pages_per_block)));
  RetryCost cost;
  retry_.push_back(cost);
  for (const RetryStep& step : config.retry) {
    cost = {cost.array_reads + step.array_reads, cost.overhead + step.overhead};
    retry_.push_back(cost);
  }
}

void MediaErrors::erase(SuperblockId block) {
  history_.erase(block);
  const std::uint32_t first = number(medium_.layout().first_page(block));
  lost_.unmark(first, first + medium_.layout().pages_per_superblock());
}

// Rows are written in order, so the first is the oldest.
MediaErrors::Rate MediaErrors::worst(SuperblockId block, std::uint32_t reads, std::uint32_t erases) const {
  if (erases > 0) {
    const Cells::Wear& wear = cells_.wear(medium_.superblocks().erases(block) + erases);
    return {worst_kind_ * wear.fresh, worst_kind_ * wear.disturbed * reads};
  }
  return rate_of(block, 0, history_.is_slc(block) ? cells_.slc() : worst_kind_, reads + history_.most_reads(block));
}

void MediaErrors::unmark_unprogrammed() {
  const Layout& layout = medium_.layout();
  for (std::uint32_t b = 0; lost_.count() > 0 && b < layout.superblocks(); ++b) {
    const std::uint32_t first = number(layout.first_page(SuperblockId{b}));
    lost_.unmark(first + medium_.superblocks().programmed(SuperblockId{b}), first + layout.pages_per_superblock());
  }
}

void MediaErrors::count(const MediaErrorCounts& more) {
  counts_.retries += more.retries;
  counts_.uncorrectable_pages += more.uncorrectable_pages;
  counts_.rebuilt_pages += more.rebuilt_pages;
  counts_.lost_pages += more.lost_pages;
  FTLAB_DCHECK(counts_.rebuilt_pages + counts_.lost_pages <= counts_.uncorrectable_pages, "readable pages are lost");
}

}  // namespace ftlab
