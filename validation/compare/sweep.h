// Points that differ only in queue depth, block size or number of jobs, as a curve over that property.
#pragma once

#include <string>
#include <vector>

#include "validation/compare/matching.h"
#include "validation/compare/metric.h"

namespace ftlab {

enum class SweepAxis : std::uint8_t { depth, block_bytes, jobs };
const char* name_of(SweepAxis axis);

// Values of both measurements at each x that both have.
struct Sweep {
  struct Step {
    double x = 0, a = 0, b = 0;
  };
  SweepAxis axis = SweepAxis::depth;
  Metric metric;
  std::string workload;     // the properties common to all steps
  std::vector<Step> steps;  // x ascending
};

// One sweep for each axis, workload and metric with at least three different x. Workloads with two pairs at one x, which
// differ only by label, give no sweep.
std::vector<Sweep> sweeps_of(const std::vector<PointPair>& pairs, const std::vector<Metric>& metrics);

}  // namespace ftlab
