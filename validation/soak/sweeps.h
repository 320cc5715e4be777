// Sweeps: not random runs, but all of a kind in order. Failures of the flash by their number, and power cuts of a very small
// drive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validation/soak/runs.h"

namespace ftlab::soak {

// One program, erase or read of the flash after the other fails, until the run has no more of them: as a single failure,
// with all later ones, and as pairs.

enum class FlashFault : std::uint8_t { program, erase, read };
enum class FaultSpan : std::uint8_t { single, from_then_on, pair };

// A short run on a small, full drive during garbage collection. All scenarios are drawn at the first call. REQUIRES: index <
// kScenarios.
inline constexpr std::uint32_t kScenarios = 30;
const RunPlan& scenario(std::uint32_t index);

// Fails operations 1, 1 + step, 1 + 2 step and so on; or `step` pairs of operations, which are drawn. Returns true if the
// sweep reached its end.
bool sweep(std::uint32_t scenario_index, FlashFault fault, FaultSpan span, std::uint64_t step, Results& results);

struct SweepAsked {
  std::uint32_t scenarios = kScenarios;
  std::uint64_t stride = 1;
  std::uint64_t pairs = 0;  // per scenario and kind
  std::string corpus;
};
std::vector<Figure> sweep_all(const SweepAsked& asked);

// Every power cut of a very small drive: 4 superblocks of 4 pages on one die, 6 logical pages. All request sequences up to a
// length, every time at which the flash would be left in a different state, every fate of the operations in flight.

// Host actions, one letter each: 0, 1, 2 write these pages; t trims page 0; f flushes; g is an idle time in which the drive
// collects.
inline constexpr std::string_view kLetters = "012tfg";

struct Exhausted {
  std::uint64_t sequences = 0, moments = 0, cuts = 0;  // cuts: each fate counts separately
  std::uint64_t failures = 0;
  std::string first_failure;
};
// On drives with one and two frontiers, and with one and two bits per cell.
Exhausted exhaust(std::uint32_t length, const Lie& lie = nullptr);
std::vector<Figure> figures_of(const Exhausted& reached);

}  // namespace ftlab::soak
