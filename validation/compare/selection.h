// Which part of two measurements is compared.
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

// "randread", by fio's shortest name. Throws ConfigError naming `option`.
std::string parse_access(const std::string& text, const std::string& option);

struct Selection {
  std::optional<Direction> direction;
  std::vector<std::string> rw;           // empty: all
  NumberRange depth, block_bytes, jobs;  // sizes that vary lie in no range but the whole one
};

// Takes away what is not selected, and notes how much. Curves have a direction and do not tell their workload: none is left
// when workloads are selected. Throws ConfigError when nothing is left.
void select(const Selection& selection, Measurement& measurement);

}  // namespace ftlab
