// Points that differ in one thing alone, as a curve over it: queue depth, block size or number of jobs.
#pragma once

#include <string>
#include <vector>

#include "validation/compare/matching.h"
#include "validation/compare/metric.h"

namespace ftlab {

enum class SweepAxis : std::uint8_t { depth, block_bytes, jobs };
const char* name_of(SweepAxis axis);

// The values of both measurements at each x that both have.
struct Sweep {
  struct Step {
    double x = 0, a = 0, b = 0;
  };
  SweepAxis axis = SweepAxis::depth;
  Metric metric;
  std::string workload;     // what is the same in all
  std::vector<Step> steps;  // x rising
};

// One for each axis, workload and aspect with at least three different x. Workloads that have two pairs at one x, which only
// their labels tell apart, make no sweep.
std::vector<Sweep> sweeps_of(const std::vector<PointPair>& pairs, const std::vector<Metric>& metrics);

}  // namespace ftlab
