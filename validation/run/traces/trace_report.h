// What a trace is like, for a program and for a person.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/core/error.h"
#include "sim/stats/run_stats.h"
#include "sim/traces/trace_summary.h"

namespace ftlab {

nlohmann::ordered_json trace_json(const TraceSummary& summary);
// By direction: recorded response times, those of the simulation (null without a clock) and by how much they differ. Empty
// for a trace that records none. Both are from issue to completion, but not of the same requests where the trace records
// only some.
nlohmann::ordered_json response_times_json(const TraceSummary& summary, const RunStats& stats);
// A few lines.
std::string trace_text(const TraceSummary& summary);
// What every user of the trace should know: lines skipped, order mended, requests rounded.
std::vector<std::string> trace_notes(const TraceSummary& summary, const TraceOptions& options);

}  // namespace ftlab
