#pragma once

#include <cstdint>

namespace ftlab {

// Totals of a page store, in slots except for the last.
struct StoreCounts {
  std::uint64_t pages_appended = 0;  // by host and relocation; must match the medium
  std::uint64_t host_pages_appended = 0;
  std::uint64_t pages_padded = 0;
  std::uint64_t parity_pages = 0;
  std::uint64_t failed_pages = 0;  // slots of failed stripes and of pages that ended there; written elsewhere
  std::uint64_t superblocks_erased = 0;
};

}  // namespace ftlab
