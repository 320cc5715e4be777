// Every power cut of a very small drive: 4 superblocks of 4 pages on one die, 6 logical pages. All request sequences up to a
// length, every time at which the flash would be left in a different state, every fate of the operations in flight.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ftlab::power_cuts {

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
