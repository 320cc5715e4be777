// Energy used by a run: the part `energy` of a result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/power/power.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

// Energy of a drive with a power model; `run` is the difference of the counters at two moments. `parts_pj` sum exactly to
// `total_pj` (integers; beyond 2^64 pJ, 5 W for 42 days, rounded to doubles). `watts` is null without a clock, values per
// gigabyte (10^9 bytes) are null if the host moved nothing.
nlohmann::ordered_json energy_json(const PowerConfig& power, const Counters& run);

// Energy of each phase: jobs, start, end, `watts`, and `total_pj`, which sum to that of the run.
nlohmann::ordered_json energy_phases(const RunStats& stats);

// Returns an error text if the parts do not sum to the energy that the drive counted, else empty.
std::string energy_problem(const PowerConfig& power, const Counters& run);

}  // namespace ftlab
