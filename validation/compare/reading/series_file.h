// Reads series.csv of a result as curves over time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// IOPS, bytes per second and mean latency of each direction with requests. Throws ConfigError with the line.
std::vector<TimeCurve> read_series(std::string_view text, const std::string& file);

}  // namespace ftlab
