// Executes runs of the swarm in sequence until there were enough.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {

struct SwarmAsked {
  std::uint64_t seed = 1;
  std::uint64_t first_run = 0;
  std::uint64_t every = 1;       // executes every n-th run, so that several processes can share a swarm
  std::uint64_t operations = 0;  // 0: no limit
  std::uint64_t seconds = 0;     // wall time after which no further run starts; 0: no limit
  std::uint64_t runs = 0;        // 0: no limit
  std::uint64_t most_failures = 5;
  std::string corpus;  // folder for shrunk plans; empty: failing plans are not shrunk
  bool verbose = false;
};

struct SwarmReached {
  std::uint64_t runs = 0, operations = 0, pages_compared = 0, inspections = 0, failures = 0;
  ProbeCounts probes;
  std::vector<std::uint64_t> timed_operations;  // by scheduling policy
  double seconds = 0, cpu_seconds = 0;
};

SwarmReached run_swarm(const SwarmAsked& asked, const Lie& lie = nullptr);

// The totals of the swarm. With `probes`, also a figure for each probe and each scheduling policy.
std::vector<Figure> figures_of(const SwarmAsked& asked, const SwarmReached& reached, bool probes);

// Prints the plan, with a description.
void print_plan(const SwarmPlan& plan);

}  // namespace ftlab::soak
