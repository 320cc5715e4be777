#include "ftl/drive/path/piece_finder.h"

#include <numeric>

namespace ftlab {

std::span<const std::uint32_t> PieceFinder::positions(std::uint32_t first, std::uint32_t pages) {
  positions_.resize(pages);
  std::iota(positions_.begin(), positions_.end(), first);
  return positions_;
}

// Adjacent parts of one stripe are read together. A content that several pages share is read once.
void PieceFinder::gather_parts(const Request& request) {
  packed_pages_.clear();
  packed_parts_.clear();
  for (PageWalk walk(request, drive_.config.ftl.mapping_bytes); walk.more(); walk.step()) {
    const HostPages::Found found = drive_.layer->pages().find(walk.lpn());
    const bool flash = found.where == Where::flash;
    const std::uint32_t* const ahead = flash ? ahead_of(walk.lpn()) : nullptr;
    packed_pages_.push_back({number(walk.lpn()), found.ppn, flash && ahead == nullptr});
    if (packed_pages_.back().from_flash) {
      gather_flash_parts(found.ppn);
    } else {
      packed_parts_.emplace_back().ram = ram_part(walk.lpn(), found.where, ahead);
    }
    packed_parts_.back().ram.host_bytes += walk.bytes();
  }
}

// Adds the parts of the page that was found last.
void PieceFinder::gather_flash_parts(Ppn ppn) {
  const Layout& layout = drive_.back.medium.layout();
  const std::uint32_t stripe_bytes = layout.pages_per_stripe() * layout.slot_bytes();
  const SuperblockId block = layout.block_of(ppn);
  drive_.layer->pages().each_part(ppn, [&](std::uint32_t stripe, std::uint32_t bytes) {
    const auto page = static_cast<std::uint32_t>(packed_pages_.size()) - 1;
    const bool same = !packed_parts_.empty() && packed_parts_.back().block == block && packed_parts_.back().stripe == stripe;
    if (!same) packed_parts_.push_back({block, stripe, page, page, 0, {}});
    PackedPart& part = packed_parts_.back();
    part.end_page = page + 1;
    part.flash_bytes = std::min(part.flash_bytes + bytes, stripe_bytes);
  });
}

FlashRead PieceFinder::read_part(const PackedPart& part, std::uint32_t tag) {
  FTLAB_DCHECK(part.first_page < part.end_page && part.flash_bytes > 0, "a part of no page is read");
  positions_.clear();
  for (std::uint32_t p = part.first_page; p < part.end_page; ++p) {
    const std::uint32_t last = drive_.back.medium.layout().position(packed_pages_[p].ppn);
    if (std::find(positions_.begin(), positions_.end(), last) == positions_.end()) positions_.push_back(last);
  }
  return drive_.layer->read(part.block, part.stripe, positions_, part.flash_bytes, tag);
}

}  // namespace ftlab
