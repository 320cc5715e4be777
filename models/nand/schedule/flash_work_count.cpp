#include "models/nand/schedule/flash_work_count.h"

#include "sim/core/check.h"

namespace ftlab {

FlashWorkCount::FlashWorkCount(const Geometry& geometry, const NandTiming& timing, bool kinds, const FlashWork& before)
    : page_bytes_(geometry.page_bytes),
      codeword_bytes_(geometry.codeword_bytes),
      page_spare_bytes_(geometry.page_spare_bytes),
      kinds_(kinds),
      work_(before) {
  const auto count = static_cast<std::uint32_t>(timing.program.size());
  FTLAB_CHECK(count > 0 && count <= kMostPageKinds, "a flash has 1 to 4 kinds of page");
  for (std::uint32_t page = 0; page < geometry.pages_per_block; ++page) {
    kind_of_page_.push_back(static_cast<std::uint8_t>(page_kind(timing.page_order, count, page, geometry.pages_per_block)));
  }
}

// Spare bytes are computed once from the total, so that rounding errors do not add up.
std::uint64_t FlashWorkCount::bus_bytes() const {
  const std::uint64_t pages = work_.pages_programmed - work_.internal_pages_programmed;
  const std::uint64_t page_bytes = page_bytes_.value();
  const std::uint64_t payload = work_.read_bytes + pages * page_bytes;
  return payload + payload / page_bytes * page_spare_bytes_ + payload % page_bytes * page_spare_bytes_ / page_bytes;
}

}  // namespace ftlab
