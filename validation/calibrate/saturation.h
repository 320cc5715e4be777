// Tells measured points on the plateau of a workload's rate from those below it. On the plateau something that is not the
// drive's flash, usually its port, limits every point alike, so errors there are small and say little.
#pragma once

#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Less than this share of additional rate is none: a plateau. Rates of repeated runs differ by about 1 %.
inline constexpr double kPlateau = 0.03;

// For each point, true if it is saturated: no point of the same workload with more requests outstanding (depth and jobs at
// least as high, their product higher by a quarter or more) has a rate 3 % higher. A point without such higher ones is
// saturated if a lower one nearly has its rate; if it has neither, it is not. Only points of one file are compared.
// REQUIRES: every point has a rate.
std::vector<bool> saturated(const std::vector<Point>& points);

}  // namespace ftlab
