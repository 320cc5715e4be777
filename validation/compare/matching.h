// Pairs the points and curves of two measurements.
#pragma once

#include <string>
#include <vector>

#include "validation/compare/metric.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

struct PointPair {
  const Point* a = nullptr;
  const Point* b = nullptr;
};

struct Unmatched {
  const Point* point = nullptr;
  bool of_a = false;
  std::string why;
};

// Every point of both is in exactly one pair or in `unmatched`. Pairs are in the order of `a`.
struct Matching {
  std::vector<PointPair> pairs;
  std::vector<Unmatched> unmatched;
};

// Pairs points with the same workload and direction: first by equal labels, then those that remain alone on each side.
// Several points of one workload that labels do not distinguish stay unmatched. REQUIRES: both outlive the result.
Matching match_points(const std::vector<Point>& a, const std::vector<Point>& b);

// Like Matching, for curves over time, which match by quantity and direction. Without a partner by label, a whole-run curve
// has priority over those of its jobs.
struct CurvePair {
  const TimeCurve* a = nullptr;
  const TimeCurve* b = nullptr;
};
struct CurveMatching {
  std::vector<CurvePair> pairs;
  std::vector<std::string> unmatched;  // one sentence each
};
CurveMatching match_curves(const std::vector<TimeCurve>& a, const std::vector<TimeCurve>& b);

// "bytes_per_s of writes, 03-write".
std::string name_of(const TimeCurve& curve);

// Points that differ only in queue depth, block size or number of jobs, as a curve over that property.
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
