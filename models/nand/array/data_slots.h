// Data slots of a superblock (all but parity), in programming order.
#pragma once

#include <cstdint>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"

namespace ftlab {

class DataSlots {
 public:
  explicit DataSlots(const Layout& layout) : layout_(layout) {}

  // Number of data slots among the first `positions` positions. REQUIRES: `positions` is a stripe boundary.
  std::uint32_t count_before(std::uint32_t positions) const {
    FTLAB_DCHECK(positions % layout_.pages_per_stripe() == 0, "data are counted up to the edge of a stripe");
    if (!layout_.has_parity()) return positions;
    return positions - layout_.nand_page_of(layout_.stripe_of(positions)) * layout_.pages_per_stripe();
  }
  // Rounds `pages` down to whole rows of data slots, but at least one row. If a mapping page is larger than a stripe, a row
  // is one mapping page.
  std::uint32_t whole_rows(std::uint32_t pages) const {
    FTLAB_DCHECK(layout_.dies_per_superblock() > layout_.has_parity(), "a row holds nothing but parity");
    const std::uint32_t stripes = layout_.dies_per_superblock() - layout_.has_parity();
    const std::uint32_t row = layout_.stripes_per_page() > 1 ? 1 : stripes * layout_.pages_per_stripe();
    return pages < row ? row : pages / row * row;
  }
  // Data slot before `position`. REQUIRES: position > 0.
  std::uint32_t before(std::uint32_t position) const {
    FTLAB_DCHECK(position > 0, "no slot precedes the first one");
    --position;
    return is_parity(position) ? position - layout_.pages_per_stripe() : position;
  }
  std::uint32_t after(std::uint32_t position) const {
    ++position;
    return is_parity(position) ? position + layout_.pages_per_stripe() : position;
  }
  // Calls visit(position) for each of the `slots` data slots of the page that ends at `last`, from last to first.
  template <class Visit>
  void each(std::uint32_t last, std::uint32_t slots, Visit&& visit) const {
    for (std::uint32_t position = last; slots > 0; --slots) {
      visit(position);
      if (slots > 1) position = before(position);
    }
  }

 private:
  bool is_parity(std::uint32_t position) const { return layout_.is_parity(layout_.stripe_of(position)); }

  const Layout& layout_;
};

}  // namespace ftlab
