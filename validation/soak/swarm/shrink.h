// Shrinks a failing plan while it still fails: fewer operations, then one feature after another off, repeatedly, until
// nothing more can be removed. The rest shows what causes the failure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {

struct Shrunk {
  SwarmPlan plan;
  SwarmOutcome outcome;    // outcome of the plan, which fails
  std::uint64_t runs = 0;  // number of executions
};

// REQUIRES: execute(plan, lie) fails. `most_runs`: limit on executions.
Shrunk shrink(const SwarmPlan& plan, std::uint64_t most_runs, const Lie& lie = nullptr);

// Replays stored plans, each of which must pass. Also the canary, a swarm that must fail.

// `places`: files, and folders with *.json. Throws ConfigError for a file that is not a plan.
std::vector<Figure> replay_plans(const std::vector<std::string>& places);

// A shadow that misses trims of more than a page.
bool trim_unheard(const Request& request, const SwarmPlan& plan);

// Passes if the swarm finds the planted error within the budget of a commit.
std::vector<Figure> run_canary();

}  // namespace ftlab::soak
