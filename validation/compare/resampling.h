// Resamples two curves over time on a common grid.
#pragma once

#include <optional>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

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

}  // namespace ftlab
