// Parts shared by the results of all kinds of devices.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/power/power.h"
#include "sim/stats/run_stats.h"
#include "validation/results/result.h"

namespace ftlab {

LatencyParts sum_parts(const RunStats& stats);
nlohmann::ordered_json latency_parts(const RunStats& stats);
// Latency parts by the latency of requests: a list of ranges with from_ns, requests and parts_ns (only nonzero ones). Ranges
// are those of PartsByLatency. Sums to latency_parts.
nlohmann::ordered_json latency_parts_by_latency(const RunStats& stats);
// Sections of the job file between stonewalls: name, from_s, to_s.
nlohmann::ordered_json run_phases(const RunStats& stats);
// Write amplification of a run: total and by cause.
nlohmann::ordered_json write_amplification(const Counters& run);
// All counters of a run, and the sum of the media writes.
nlohmann::ordered_json traffic(const Counters& run);
// Notes on the workload, then why jobs failed.
nlohmann::ordered_json notes_of(const JobFile& jobs, const RunStats& stats);
// Checks that the parts of all latencies sum exactly to them. Timed runs only.
void check_latency_parts(const RunStats& stats, std::vector<std::string>& problems);
nlohmann::ordered_json simulator(const RunStats& stats, const Effort& effort, const Counters& run);
// The drive without its host, and the host alone: by default one that takes no time.
nlohmann::ordered_json drive_of(const Node& document);
nlohmann::ordered_json host_of(const Node& document);
// Adds the keys that every result may have, and the files. REQUIRES: all other keys are set.
void add_common(Result& result, const RunStats& stats, const WorkloadReport& workload, const SteadyWatch* watch);

// Energy used by a run: the part `energy` of a result.

// Energy of a drive with a power model; `run` is the difference of the counters at two moments. `parts_pj` sum exactly to
// `total_pj` (integers; beyond 2^64 pJ, 5 W for 42 days, rounded to doubles). `watts` is null without a clock, values per
// gigabyte (10^9 bytes) are null if the host moved nothing.
nlohmann::ordered_json energy_json(const PowerConfig& power, const Counters& run);

// Energy of each phase: jobs, start, end, `watts`, and `total_pj`, which sum to that of the run.
nlohmann::ordered_json energy_phases(const RunStats& stats);

// Returns an error text if the parts do not sum to the energy that the drive counted, else empty.
std::string energy_problem(const PowerConfig& power, const Counters& run);

}  // namespace ftlab
