// Executes one plan against a shadow, in two phases. Safety: the flash fails as planned, every read is compared, every
// completion is checked, and the whole state is inspected at intervals. Liveness: the drive is saved and loaded into one
// whose flash no longer fails; it continues and must become idle in a bounded number of steps with nothing outstanding.
//
//   every completion      was requested, and only once; is not earlier than its request; the parts of its latency sum to its
//                         latency; its status is one that the plan allows
//   every read            returns the version last written there, or no data after a trim
//   at intervals          inspect(), every page against the shadow, and the counters of layer and medium against each other
//                         and against the host's own
//   overall               no request takes more flash steps than moving the whole drive four times
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
  std::string failure;  // the first error; empty if none
  std::uint64_t operations = 0;
  std::uint64_t pages_compared = 0;
  std::uint64_t inspections = 0;
  bool read_only = false;
  ProbeCounts probes;
  Counters counters;
  std::uint64_t skipped_erases = 0;  // erases saved because a program had failed in the block
  std::uint64_t spoiled_reads = 0;   // planned to fail, and executed
  Signature completions;             // times, tags and states, in order
  Signature state;                   // the drive at the end
};

// A hook for tests of the swarm itself: requests that the shadow misses, so that a correct drive seems wrong.
using Lie = std::function<bool(const Request& request, const SwarmPlan& plan)>;

// Never throws: an exception from the drive is a failure.
SwarmOutcome execute(const SwarmPlan& plan, const Lie& lie = nullptr);

}  // namespace ftlab::soak
