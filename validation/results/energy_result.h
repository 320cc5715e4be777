// What a run has cost in energy, as the part `energy` of a result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/power/power.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

// Of a drive with a power model, between the two moments that `run` is the difference of. `parts_pj` sum exactly to
// `total_pj` (integers; beyond 2^64 pJ, 5 W for 42 days, they are rounded to doubles). `watts` is null without a clock, and
// what is stated by the host's gigabyte (10^9 bytes) when the host moved nothing.
nlohmann::ordered_json energy_json(const PowerConfig& power, const Counters& run);

// The same phase by phase: which jobs, when, `watts`, `total_pj`, which sum to that of the run.
nlohmann::ordered_json energy_phases(const RunStats& stats);

// Empty, or that the parts do not sum to the energy that the drive counted.
std::string energy_problem(const PowerConfig& power, const Counters& run);

}  // namespace ftlab
