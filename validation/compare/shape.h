// Describes the shape of a curve by the numbers defined here.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Resamples two curves over time on a common grid.
struct GridCell {
  double begin_s = 0, end_s = 0;
  double a = 0, b = 0;
};

// Time-weighted mean of the part of [begin_s, end_s) that the curve covers; empty if it covers less than half.
std::optional<double> mean_over(const TimeCurve& curve, double begin_s, double end_s);

// The longer of the two curves' median interval lengths.
double natural_step_s(const TimeCurve& a, const TimeCurve& b);

// Both curves from second 0 to the end of the shorter one, in cells of `step_s`. A partial last cell and cells that one
// curve does not cover are omitted. REQUIRES: step_s > 0.
std::vector<GridCell> on_one_grid(const TimeCurve& a, const TimeCurve& b, double step_s);

double end_of(const TimeCurve& curve);

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
