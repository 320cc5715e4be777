// Finds why the figures of a run are worthless or weak.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/problem.h"
#include "sim/stats/final_window.h"
#include "sim/stats/run_stats.h"
#include "sim/stats/steady_watch.h"

namespace ftlab {

// Properties of the device and its load that problems depend on.
struct TestedDevice {
  DeviceSize size;
  std::uint64_t superblock_bytes = 0;  // host data in a superblock; 0: the device has no superblocks
  bool places_by_stream = true;        // placement handles and write hints have an effect
  bool replays_trace = false;          // options of jobs do not make the run longer
};

// Problems in the notes of the jobs, then those of the run. `watch`: only for runs that should end in steady state.
std::vector<Problem> problems_of(const JobFile& jobs, const RunStats& stats, const TestedDevice& device,
                                 const std::optional<FinalWindow>& window, const SteadyWatch* watch);

// A list of {code, text, remedy}.
nlohmann::ordered_json problems_json(const std::vector<Problem>& problems);

// One line: code, text and remedy.
std::string problem_line(const Problem& problem);

}  // namespace ftlab
