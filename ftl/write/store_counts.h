#pragma once

#include <cstdint>

namespace ftlab {

// What a page store has done, in slots but for the last.
struct StoreCounts {
  std::uint64_t pages_appended = 0;  // by host and relocation; must agree with the medium
  std::uint64_t host_pages_appended = 0;
  std::uint64_t pages_padded = 0;
  std::uint64_t parity_pages = 0;
  std::uint64_t failed_pages = 0;  // of stripes that failed, and the beginnings of pages that ended there; put elsewhere
  std::uint64_t superblocks_erased = 0;
};

}  // namespace ftlab
