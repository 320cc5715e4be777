// Replays stored plans, each of which must pass. Also the canary, a swarm that must fail.
#pragma once

#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {

// `places`: files, and folders with *.json. Throws ConfigError for a file that is not a plan.
std::vector<Figure> replay_plans(const std::vector<std::string>& places);

// A shadow that misses trims of more than a page.
bool trim_unheard(const Request& request, const SwarmPlan& plan);

// Passes if the swarm finds the planted error within the budget of a commit.
std::vector<Figure> run_canary();

}  // namespace ftlab::soak
