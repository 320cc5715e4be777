// Reads all fio logs of a folder as curves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Uses one latency log per job, in this order of preference: completion, total, histogram; ignores submission logs. `labels`
// are the points' labels by job number, clones counted, as fio numbers its logs. If every log has one, curves get these
// labels and clones are joined. Otherwise curves are named after their log, with `prefix` before. Throws ConfigError.
std::vector<TimeCurve> read_logs(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& labels,
                                 const std::string& prefix);

// Joins the logs of a job's clones (numjobs), which fio writes as separate files: curves with the same label, quantity and
// direction become one, at the position of the first. Rates are added; latencies are averaged, all clones weighted equally.
// The result covers the times that all of them cover.
std::vector<TimeCurve> with_clones_joined(std::vector<TimeCurve> curves);

}  // namespace ftlab
