// What a trace is like, for a program and for a person.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/config/error.h"
#include "sim/traces/trace_summary.h"

namespace ftlab {

nlohmann::ordered_json trace_json(const TraceSummary& summary);
// A few lines.
std::string trace_text(const TraceSummary& summary);
// What every user of the trace should know: lines skipped, order mended, requests rounded.
std::vector<std::string> trace_notes(const TraceSummary& summary, const TraceOptions& options);

}  // namespace ftlab
