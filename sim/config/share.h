// Shares as a user writes them, with the same meaning on the command line, in grids and in Python.
//
//   7%      per cent, always
//   0.07    a plain number up to `ratios_to` is a ratio: 7 %
//   7       a plain number from `percent_from` on is per cent; never if that is infinite
//
// A plain number between the two is ambiguous. It is refused, with both readings.
#pragma once

#include <limits>
#include <string_view>

#include "sim/core/error.h"

namespace ftlab {

struct ShareRange {
  double least, most;
  double ratios_to = std::numeric_limits<double>::infinity();
  double percent_from = std::numeric_limits<double>::infinity();
};

// Required precision of a mean: 2 % is 2%, 0.02 or 2; 0.5 is refused.
inline constexpr ShareRange kUntilSteady{0.0001, 0.5, 0.1, 1};
inline constexpr ShareRange kPrecision{0.00001, 0.1, 0.1, 1};

// (physical - user) / user: 7 % is 7% or 0.07; a plain number above 2 is refused.
constexpr ShareRange over_provisioning_range(double least, double most) { return {least, most, 2}; }

// Throws ConfigError about `key` unless `text` is a share within the range. Both notations of a share give the same double.
double share_of(const ConfigError::Place& place, std::string_view key, std::string_view text, const ShareRange& range);

}  // namespace ftlab
