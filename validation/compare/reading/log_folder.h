// All of fio's logs in a folder as curves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Of the latency logs of one job the first of: completion, total, histogram; submission logs are let be. `labels` are those
// of the points by job number, clones counted, as fio numbers its logs: when every log has one, curves carry it and those of
// clones are joined. Otherwise they are called by the log's name, `prefix` before it. Throws ConfigError.
std::vector<TimeCurve> read_logs(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& labels,
                                 const std::string& prefix);

}  // namespace ftlab
