// Makes a plan that fails smaller while it still fails: fewer operations, then one feature after the other off, and again,
// until nothing more can be left out. What is left says what the failure is about.
#pragma once

#include <cstdint>

#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {

struct Shrunk {
  SwarmPlan plan;
  SwarmOutcome outcome;    // of the plan: it fails
  std::uint64_t runs = 0;  // that it took
};

// REQUIRES: execute(plan, lie) fails. `most_runs`: no more than so many runs of a plan.
Shrunk shrink(const SwarmPlan& plan, std::uint64_t most_runs, const Lie& lie = nullptr);

}  // namespace ftlab::soak
