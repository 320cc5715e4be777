// Every power cut of a very small drive: 4 superblocks of 4 pages on one die, 6 logical pages. All sequences of requests up
// to a length, every moment that leaves the flash another way, every fate of what is under way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ftlab::power_cuts {

// What the host does, one letter each: 0, 1, 2 writes of these pages; t the trim of page 0; f a flush; g a rest in which the
// drive collects.
inline constexpr std::string_view kLetters = "012tfg";

struct ExhaustiveAsked {
  std::uint32_t length = 4;          // of the longest sequences
  bool separate_relocation = false;  // two frontiers
  bool two_bits = false;             // cells with lower and upper pages
  bool forgets_flushes = false;      // the shadow believes in flushes that are not sent: a test of the test
};

struct ExhaustiveOutcome {
  std::uint64_t sequences = 0, moments = 0, cuts = 0;  // cuts: with each fate by itself
  std::uint64_t lost = 0, resurrected = 0, wrong = 0;
  std::string failure;  // the first one, in words

  bool sound() const { return lost + resurrected + wrong == 0; }
};

ExhaustiveOutcome exhaust(const ExhaustiveAsked& asked);

}  // namespace ftlab::power_cuts
