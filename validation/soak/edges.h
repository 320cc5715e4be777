// Drives with exactly the flash that they need, and with a little less: the drive file is refused with the arithmetic, or
// the drive takes random writes of ten times its capacity. Between the two there is nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"

namespace ftlab::soak {

struct EdgesReached {
  std::uint64_t drives = 0;    // both sides of whose boundary were tried
  std::uint64_t refusals = 0;  // with a sum that holds
  std::uint64_t lives = 0;     // ten times the capacity written, on all that is allowed
  std::uint64_t failures = 0;
  std::string first_failure;
};

EdgesReached try_edges(std::uint64_t seed, std::uint64_t first, std::uint64_t count);

std::vector<Figure> figures_of(std::uint64_t asked, const EdgesReached& reached);

}  // namespace ftlab::soak
