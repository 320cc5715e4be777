// Runs lives until there were enough cuts, and collects their results.
#pragma once

#include <cstdint>
#include <vector>

#include "validation/power_cuts/exhaustive.h"
#include "validation/power_cuts/life.h"
#include "validation/soak/swarm/figures.h"

namespace ftlab::power_cuts {

struct Campaign {
  std::uint64_t seed = 1;
  std::uint64_t cuts = 0;     // total; 0: no limit
  std::uint64_t seconds = 0;  // wall time; 0: no limit
  std::uint32_t cuts_each = 12;
  std::uint64_t most_failures = 20;
};

struct CutsReached {
  LifeOutcome all;
  std::uint64_t lives = 0, failures = 0;  // `failures`: failed lives
  double cpu_seconds = 0;
};

// Number of a life, with which it can be repeated.
inline std::uint64_t life_number(std::uint64_t seed, std::uint64_t life) { return seed << 32 | life; }

CutsReached run(const Campaign& campaign);
// Repeats one life and prints it.
CutsReached relive(std::uint64_t life, std::uint32_t cuts_each);

std::vector<soak::Figure> figures_of(const Campaign& campaign, const CutsReached& reached);

// All request sequences up to a length on small drives, with one and two frontiers, and with one and two bits per cell.
std::vector<soak::Figure> exhaust_all(std::uint32_t length);

}  // namespace ftlab::power_cuts
