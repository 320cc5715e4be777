// Lives one after the other, until there were enough cuts, and what they came to.
#pragma once

#include <cstdint>
#include <vector>

#include "validation/power_cuts/exhaustive.h"
#include "validation/power_cuts/life.h"
#include "validation/soak/swarm/figures.h"

namespace ftlab::power_cuts {

struct Campaign {
  std::uint64_t seed = 1;
  std::uint64_t cuts = 0;     // in all; 0: no end but the other one
  std::uint64_t seconds = 0;  // of wall clock; 0: no end
  std::uint32_t cuts_each = 12;
  std::uint64_t most_failures = 20;
};

struct CutsReached {
  LifeOutcome all;
  std::uint64_t lives = 0, failures = 0;  // lives that failed
  double cpu_seconds = 0;
};

// The number of a life, by which it is lived again.
inline std::uint64_t life_number(std::uint64_t seed, std::uint64_t life) { return seed << 32 | life; }

CutsReached run(const Campaign& campaign);
// One life again, in words.
CutsReached relive(std::uint64_t life, std::uint32_t cuts_each);

std::vector<soak::Figure> figures_of(const Campaign& campaign, const CutsReached& reached);

// All sequences of small drives up to a length, of one frontier and of two, of one bit a cell and of two.
std::vector<soak::Figure> exhaust_all(std::uint32_t length);

}  // namespace ftlab::power_cuts
