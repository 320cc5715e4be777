// The slots of a superblock that hold no parity, in order of programming.
#pragma once

#include <cstdint>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"

namespace ftlab {

class DataSlots {
 public:
  explicit DataSlots(const Layout& layout) : layout_(layout) {}

  // Of the first `positions` of a superblock. REQUIRES: positions at the edge of a stripe.
  std::uint32_t count_before(std::uint32_t positions) const {
    FTLAB_DCHECK(positions % layout_.pages_per_stripe() == 0, "data are counted up to the edge of a stripe");
    if (!layout_.has_parity()) return positions;
    return positions - layout_.nand_page_of(layout_.stripe_of(positions)) * layout_.pages_per_stripe();
  }
  // The largest number of them up to `pages`, but not 0, that fills whole rows (whole mapping pages, if those are larger
  // than a stripe).
  std::uint32_t whole_rows(std::uint32_t pages) const {
    const std::uint32_t stripes = layout_.dies_per_superblock() - layout_.has_parity();
    const std::uint32_t row = layout_.stripes_per_page() > 1 ? 1 : stripes * layout_.pages_per_stripe();
    return pages < row ? row : pages / row * row;
  }
  // REQUIRES: there is one.
  std::uint32_t before(std::uint32_t position) const {
    FTLAB_DCHECK(position > 0, "no slot precedes the first one");
    --position;
    return is_parity(position) ? position - layout_.pages_per_stripe() : position;
  }
  std::uint32_t after(std::uint32_t position) const {
    ++position;
    return is_parity(position) ? position + layout_.pages_per_stripe() : position;
  }
  // Calls visit(position) for each slot of the page that ends at `last`, from last to first.
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
