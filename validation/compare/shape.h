// The shape of a curve in a few numbers, each defined here.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Of a rate over time.
//   fall           where two constant levels fit the curve best (least squares, weighted by time), if the second is below
//                  90 % of the first and lasts at least a twentieth of the run
//   steady part    the second half of what follows the fall; of the whole run when there is none
//   steady level   its mean
//   swing          (95th - 5th percentile) / mean of its intervals, weighted by time
struct TimeShape {
  struct Fall {
    double at_s = 0;
    double to_share = 0;  // the level behind it by the level before
  };
  std::optional<Fall> fall;
  double steady_level = 0;
  std::optional<double> swing;  // nothing when the steady level is 0
};

// REQUIRES: the curve has an interval.
TimeShape shape_of(const TimeCurve& curve);

// Of a rate over queue depth, block size or number of jobs.
//   plateau      the largest value
//   knee         the smallest x at which 90 % of the plateau are reached, linear between the points beside it; the first x
//                when that has it already
//   end ratio    the last value by the first
struct SweepShape {
  double plateau = 0;
  double knee = 0;
  std::optional<double> end_ratio;  // nothing when the first value is 0
};

// REQUIRES: not empty, x rising.
SweepShape shape_of(const std::vector<std::pair<double, double>>& x_and_y);

}  // namespace ftlab
