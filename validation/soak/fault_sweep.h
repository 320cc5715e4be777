// Scenarios in which the first, the second, ... program, erase or read of the flash fails, until none is left to fail;
// alone, and with all that come after it; and two of them together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/plan.h"

namespace ftlab::soak {

enum class FlashFault : std::uint8_t { program, erase, read };
enum class FaultSpan : std::uint8_t { single, from_then_on };

// A short run on a small drive that is full and under collection; all of them are drawn at the first call.
// REQUIRES: index < kScenarios.
inline constexpr std::uint32_t kScenarios = 30;
const SwarmPlan& scenario(std::uint32_t index);

struct SweepReached {
  std::uint64_t scenarios = 0;  // swept until nothing was hit any more
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  std::string first_failure;  // with how to see it again
  void add(const SweepReached& other);
};

// Places 1, 1 + stride, 1 + 2 stride, ... `corpus`: a folder for plans that fail; empty: they are not kept.
SweepReached sweep_faults(std::uint32_t scenario_index, FlashFault kind, FaultSpan span, std::uint64_t stride,
                          const std::string& corpus);
// So many pairs of places, drawn.
SweepReached sweep_pairs(std::uint32_t scenario_index, FlashFault kind, std::uint64_t pairs, const std::string& corpus);

struct SweepAsked {
  std::uint32_t scenarios = kScenarios;
  std::uint64_t stride = 1;
  std::uint64_t pairs = 0;  // of each scenario and kind
  std::string corpus;
};
std::vector<Figure> sweep_all(const SweepAsked& asked);

}  // namespace ftlab::soak
