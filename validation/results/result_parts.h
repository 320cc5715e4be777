// Parts shared by the results of all kinds of devices.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

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

}  // namespace ftlab
