// The lowest and highest of positions in any order (GC may move pages in random order).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sim/core/check.h"

namespace ftlab {

struct Outermost {
  std::uint32_t first, last;
};

// REQUIRES: not empty.
inline Outermost outermost(std::span<const std::uint32_t> positions) {
  FTLAB_DCHECK(!positions.empty(), "the first and the last of no pages");
  const auto [first, last] = std::minmax_element(positions.begin(), positions.end());
  return {*first, *last};
}

}  // namespace ftlab
