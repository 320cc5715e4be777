// Runs lives until there were enough cuts, and collects their results.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

// Every power cut of a very small drive: 4 superblocks of 4 pages on one die, 6 logical pages. All request sequences up to a
// length, every time at which the flash would be left in a different state, every fate of the operations in flight.

// Host actions, one letter each: 0, 1, 2 write these pages; t trims page 0; f flushes; g is an idle time in which the drive
// collects.
inline constexpr std::string_view kLetters = "012tfg";

struct ExhaustiveAsked {
  std::uint32_t length = 4;          // number of requests in the longest sequences
  bool separate_relocation = false;  // two frontiers
  bool two_bits = false;             // cells with lower and upper pages
  bool forgets_flushes = false;      // the shadow assumes flushes that are not sent, to test the test
};

struct ExhaustiveOutcome {
  std::uint64_t sequences = 0, moments = 0, cuts = 0;  // cuts: each fate counts separately
  std::uint64_t lost = 0, resurrected = 0, wrong = 0;
  std::string failure;  // description of the first one

  bool sound() const { return lost + resurrected + wrong == 0; }
};

ExhaustiveOutcome exhaust(const ExhaustiveAsked& asked);

}  // namespace ftlab::power_cuts
