// Drives with exactly the flash that they need, and with slightly less. Either the drive file is refused with the
// arithmetic, or the drive accepts random writes of ten times its capacity. There is nothing in between.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"

namespace ftlab::soak {

struct EdgesReached {
  std::uint64_t drives = 0;    // tested on both sides of the limit
  std::uint64_t refusals = 0;  // with correct arithmetic
  std::uint64_t lives = 0;     // ten times the capacity written to a drive of the allowed size
  std::uint64_t failures = 0;
  std::string first_failure;
};

EdgesReached try_edges(std::uint64_t seed, std::uint64_t first, std::uint64_t count);

std::vector<Figure> figures_of(std::uint64_t asked, const EdgesReached& reached);

}  // namespace ftlab::soak
