// What the results of all kinds of devices have in common.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "validation/results/result.h"

namespace ftlab {

LatencyParts sum_parts(const RunStats& stats);
nlohmann::ordered_json latency_parts(const RunStats& stats);
// The same by how long the requests took: a list of ranges with from_ns, requests and parts_ns (those
// with time); a range ends where PartsByLatency says. Sums to latency_parts.
nlohmann::ordered_json latency_parts_by_latency(const RunStats& stats);
// Sections of the job file between stonewalls: name, from_s, to_s.
nlohmann::ordered_json run_phases(const RunStats& stats);
// Every counter of a run, and the sum of the media writes.
nlohmann::ordered_json traffic(const Counters& run);
// What was noted of the workload, then why jobs failed.
nlohmann::ordered_json notes_of(const JobFile& jobs, const RunStats& stats);
// The law that the parts of all latencies sum exactly to them, of a timed run.
void check_latency_parts(const RunStats& stats, std::vector<std::string>& problems);
nlohmann::ordered_json simulator(const RunStats& stats, const Effort& effort, const Counters& run);
// The drive without its host, and the host by itself: that which costs nothing where none was named.
nlohmann::ordered_json drive_of(const Node& document);
nlohmann::ordered_json host_of(const Node& document);
// The keys that every result may have, and its files. REQUIRES: all other keys are there.
void add_common(Result& result, const RunStats& stats, const WorkloadReport& workload, const SteadyWatch* watch);

}  // namespace ftlab
