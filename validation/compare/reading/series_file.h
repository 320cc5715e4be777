// Reads series.csv of a result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validation/compare/reading/measurement.h"
#include "validation/compare/reading/text_table.h"

namespace ftlab {

// All columns. Throws ConfigError with the line, also for intervals that overlap.
TextTable read_series_table(std::string_view text, const std::string& file);

// IOPS, bytes per second and mean latency of each direction with requests. Throws ConfigError with the line.
std::vector<TimeCurve> read_series(std::string_view text, const std::string& file);

}  // namespace ftlab
