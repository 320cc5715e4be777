// Shrinks a failing plan while it still fails: fewer operations, then one feature after another off, repeatedly, until
// nothing more can be removed. The rest shows what causes the failure.
#pragma once

#include <cstdint>

#include "validation/soak/run.h"

namespace ftlab::soak {

struct Shrunk {
  RunPlan plan;
  RunOutcome outcome;    // outcome of the plan, which fails
  std::uint64_t runs = 0;  // number of executions
};

// REQUIRES: execute(plan, lie) fails. `most_runs`: limit on executions.
Shrunk shrink(const RunPlan& plan, std::uint64_t most_runs, const Lie& lie = nullptr);

}  // namespace ftlab::soak
