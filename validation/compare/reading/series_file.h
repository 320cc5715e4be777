// series.csv of a result as curves over time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Requests and bytes per second and the mean latency of each direction that did anything. Throws ConfigError with the line.
std::vector<TimeCurve> read_series(std::string_view text, const std::string& file);

}  // namespace ftlab
