// Executes one plan in two phases. Safety: the flash fails and the power is cut as planned, and the whole state is inspected
// at intervals. Liveness: the drive is saved and loaded into one whose flash no longer fails; it continues and must become
// idle in a bounded number of steps with nothing outstanding. See host.h and power_cuts.h for what must hold.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/signature.h"
#include "sim/counters.h"
#include "validation/soak/counts.h"
#include "validation/soak/host.h"
#include "validation/soak/plan.h"
#include "validation/soak/run.h"

namespace ftlab::soak {

struct RunOutcome {
  std::string failure;  // the first error; empty if none
  bool read_only = false;
  Counts counts;
  Counters counters;
  std::uint64_t skipped_erases = 0;  // erases saved because a program had failed in the block
  std::uint64_t spoiled_reads = 0;   // planned to fail, and executed
  Signature completions;             // times, tags and states, in order
  Signature state;                   // the drive at the end
};

// Never throws: an exception from the drive is a failure.
RunOutcome execute(const RunPlan& plan, const Lie& lie = nullptr);

// Shrinks a failing plan while it still fails: fewer operations, then one feature after another off, repeatedly, until
// nothing more can be removed. The rest shows what causes the failure.

struct Shrunk {
  RunPlan plan;
  RunOutcome outcome;    // outcome of the plan, which fails
  std::uint64_t runs = 0;  // number of executions
};

// REQUIRES: execute(plan, lie) fails. `most_runs`: limit on executions.
Shrunk shrink(const RunPlan& plan, std::uint64_t most_runs, const Lie& lie = nullptr);

}  // namespace ftlab::soak
