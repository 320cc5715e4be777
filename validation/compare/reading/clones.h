// The logs of a job's clones (numjobs), which fio writes one by one, as one curve.
#pragma once

#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Curves with the same label, quantity and direction become one, in the place of the first: rates are added up, latencies
// averaged with equal weights, as clones do the same work. It covers the times that all of them cover.
std::vector<TimeCurve> with_clones_joined(std::vector<TimeCurve> curves);

}  // namespace ftlab
