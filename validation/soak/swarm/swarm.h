// Runs of the swarm one after the other, until there were enough.
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
  std::uint64_t every = 1;       // of the runs, so that several processes share them
  std::uint64_t operations = 0;  // 0: no end but the other one
  std::uint64_t seconds = 0;     // of wall clock, after which no further run begins; 0: no end
  std::uint64_t runs = 0;        // 0: no end
  std::uint64_t most_failures = 5;
  std::string corpus;  // folder for shrunk plans; empty: they are not shrunk
  bool verbose = false;
};

struct SwarmReached {
  std::uint64_t runs = 0, operations = 0, pages_compared = 0, inspections = 0, failures = 0;
  ProbeCounts probes;
  std::vector<std::uint64_t> timed_operations;  // by scheduling policy
  double seconds = 0, cpu_seconds = 0;
};

SwarmReached run_swarm(const SwarmAsked& asked, const Lie& lie = nullptr);

// One figure of all, and with `probes` one of each state that must have been reached, each scheduling policy among them.
std::vector<Figure> figures_of(const SwarmAsked& asked, const SwarmReached& reached, bool probes);

// Prints the plan, with what it is about in words.
void print_plan(const SwarmPlan& plan);

}  // namespace ftlab::soak
