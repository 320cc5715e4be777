// Drives that are written until they die, by wear or by permanent failures, with every collection policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/plan.h"

namespace ftlab::soak {

// Plan of a small drive; the policies alternate.
SwarmPlan ending(std::uint64_t index);

struct EndingsReached {
  std::uint64_t drives = 0;  // became read-only with all acknowledged data intact
  std::uint64_t failures = 0;
  std::string first_failure;
};
EndingsReached end_drives(std::uint64_t first, std::uint64_t count, const std::string& corpus);

std::vector<Figure> figures_of(std::uint64_t asked, const EndingsReached& reached);

}  // namespace ftlab::soak
