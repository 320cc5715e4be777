// Sweeps in which one program, erase or read of the flash after the other fails, until the run has no more of them: as a
// single failure, with all later ones, and as pairs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/plan.h"

namespace ftlab::soak {

enum class FlashFault : std::uint8_t { program, erase, read };
enum class FaultSpan : std::uint8_t { single, from_then_on };

// A short run on a small, full drive during garbage collection. All scenarios are drawn at the first call. REQUIRES: index <
// kScenarios.
inline constexpr std::uint32_t kScenarios = 30;
const SwarmPlan& scenario(std::uint32_t index);

struct SweepReached {
  std::uint64_t scenarios = 0;  // swept completely
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  std::string first_failure;  // with the command that repeats it
  void add(const SweepReached& other);
};

// Fails operations 1, 1 + stride, 1 + 2 stride and so on. `corpus`: folder for failing plans; empty: they are not kept.
SweepReached sweep_faults(std::uint32_t scenario_index, FlashFault kind, FaultSpan span, std::uint64_t stride,
                          const std::string& corpus);
// Draws and tests this many pairs of operations.
SweepReached sweep_pairs(std::uint32_t scenario_index, FlashFault kind, std::uint64_t pairs, const std::string& corpus);

struct SweepAsked {
  std::uint32_t scenarios = kScenarios;
  std::uint64_t stride = 1;
  std::uint64_t pairs = 0;  // per scenario and kind
  std::string corpus;
};
std::vector<Figure> sweep_all(const SweepAsked& asked);

}  // namespace ftlab::soak
