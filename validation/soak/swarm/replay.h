// Plans that are kept: each must hold now. And the canary, a swarm that must not.
#pragma once

#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"
#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {

// Files, and all *.json of folders. Throws ConfigError for what is no plan.
std::vector<Figure> replay_plans(const std::vector<std::string>& places);

// A shadow that does not hear of trims of more than a page.
bool trim_unheard(const Request& request, const SwarmPlan& plan);

// Passes when the swarm finds the lie within the budget of a commit, fails when it does not.
std::vector<Figure> run_canary();

}  // namespace ftlab::soak
