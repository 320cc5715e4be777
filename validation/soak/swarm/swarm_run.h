// Carries out one plan under a shadow, in two phases. Safety: the flash fails as the plan says, every read is compared,
// every completion is checked, and the whole state is inspected at intervals. Liveness: the drive is saved and loaded into
// one whose flash fails no more, goes on, and must come to rest in a bounded number of steps with nothing outstanding.
//
//   of every completion   asked for once; not before it was issued; the parts of its latency are its latency; its status is
//                         one that the plan allows
//   of every read         the version that was last written there, or nothing after a trim
//   at intervals          inspect(), every page against the shadow, what layer and medium counted against each other and
//                         against the host's own count
//   in all                no request takes more steps of the flash than moving the whole drive four times would
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/core/signature.h"
#include "sim/counters.h"
#include "validation/soak/swarm/plan.h"
#include "validation/soak/swarm/probes.h"

namespace ftlab::soak {

struct SwarmOutcome {
  std::string failure;  // the first thing that was wrong; empty: nothing
  std::uint64_t operations = 0;
  std::uint64_t pages_compared = 0;
  std::uint64_t inspections = 0;
  bool read_only = false;
  ProbeCounts probes;
  Counters counters;
  std::uint64_t skipped_erases = 0;  // of blocks where a program had failed
  std::uint64_t spoiled_reads = 0;   // that the plan wanted to fail and that came
  Signature completions;             // times, tags and states, in order
  Signature state;                   // of the drive at the end
};

// A seam for tests of the swarm itself: requests that the shadow is not told about, so that a sound drive seems to be wrong.
using Lie = std::function<bool(const Request& request, const SwarmPlan& plan)>;

// Never throws: what the drive throws is a failure.
SwarmOutcome execute(const SwarmPlan& plan, const Lie& lie = nullptr);

}  // namespace ftlab::soak
