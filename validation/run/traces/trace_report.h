// Describes a trace as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/core/error.h"
#include "sim/stats/run_stats.h"
#include "sim/traces/trace_summary.h"

namespace ftlab {

nlohmann::ordered_json trace_json(const TraceSummary& summary);
// By direction: recorded and simulated response times (null if untimed) and their difference. Empty if the trace records
// none. Both are from issue to completion, but of different requests if the trace records only some.
nlohmann::ordered_json response_times_json(const TraceSummary& summary, const RunStats& stats);
// A few lines.
std::string trace_text(const TraceSummary& summary);
// Notes for every user of the trace: lines skipped, order corrected, requests rounded.
std::vector<std::string> trace_notes(const TraceSummary& summary, const TraceOptions& options);

}  // namespace ftlab
