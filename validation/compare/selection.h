// Selects the part of a measurement to compare.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

struct NumberRange {
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
  bool holds(std::uint64_t number) const { return low <= number && number <= high; }
};

// "32", "1-32", "4k-64k". Throws ConfigError naming `option`.
NumberRange parse_number_range(const std::string& text, const std::string& option);

// Returns fio's shortest name, as "randread". Throws ConfigError naming `option`.
std::string parse_access(const std::string& text, const std::string& option);

struct Selection {
  std::optional<Direction> direction;
  std::vector<std::string> rw;           // empty: all
  NumberRange depth, block_bytes, jobs;  // varying sizes match only the full range
};

// Removes everything that is not selected and notes how much. Curves have a direction but no workload, so selecting
// workloads removes all of them. Throws ConfigError if nothing is left.
void select(const Selection& selection, Measurement& measurement);

}  // namespace ftlab
