// Describes the shape of a curve by the numbers defined here.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Shape of a rate over time.
//   fall           where two constant levels fit the curve best (least squares, weighted by time), if the second is below
//                  90 % of the first and lasts at least a twentieth of the run
//   steady part    the second half after the fall, or of the whole run without a fall
//   steady level   its mean
//   swing          (95th - 5th percentile) / mean of its intervals, weighted by time
struct TimeShape {
  struct Fall {
    double at_s = 0;
    double to_share = 0;  // level after it / level before it
  };
  std::optional<Fall> fall;
  double steady_level = 0;
  std::optional<double> swing;  // absent if the steady level is 0
};

// REQUIRES: the curve has an interval.
TimeShape shape_of(const TimeCurve& curve);

// Shape of a rate over queue depth, block size or number of jobs.
//   plateau      the largest value
//   knee         the smallest x with 90 % of the plateau, interpolated linearly between points; the first x if it already
//                has that
//   end ratio    last value / first value
struct SweepShape {
  double plateau = 0;
  double knee = 0;
  std::optional<double> end_ratio;  // absent if the first value is 0
};

// REQUIRES: not empty, x ascending.
SweepShape shape_of(const std::vector<std::pair<double, double>>& x_and_y);

}  // namespace ftlab
