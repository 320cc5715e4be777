// Drives that are written until they die, by wear or by failures that never end, under every collection policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/plan.h"

namespace ftlab::soak {

// Of small drives; each policy in turn.
SwarmPlan ending(std::uint64_t index);

struct EndingsReached {
  std::uint64_t drives = 0;  // that became read-only, with all that they acknowledged
  std::uint64_t failures = 0;
  std::string first_failure;
};
EndingsReached end_drives(std::uint64_t first, std::uint64_t count, const std::string& corpus);

std::vector<Figure> figures_of(std::uint64_t asked, const EndingsReached& reached);

}  // namespace ftlab::soak
