// Joins the logs of a job's clones (numjobs), which fio writes as separate files, into one curve.
#pragma once

#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Joins curves with the same label, quantity and direction into one, at the position of the first. Rates are added;
// latencies are averaged, all clones weighted equally. The result covers the times that all of them cover.
std::vector<TimeCurve> with_clones_joined(std::vector<TimeCurve> curves);

}  // namespace ftlab
