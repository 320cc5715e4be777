// Which point of one measurement is held against which of another.
#pragma once

#include <string>
#include <vector>

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

// Every point of both is in exactly one pair or in `unmatched`. Pairs stand in the order of `a`.
struct Matching {
  std::vector<PointPair> pairs;
  std::vector<Unmatched> unmatched;
};

// Points with the same workload and direction: first those that also have the same label, then what is left where each side
// has just one. Several of one workload that no label tells apart stay unmatched. REQUIRES: both outlive the result.
Matching match_points(const std::vector<Point>& a, const std::vector<Point>& b);

// The same for curves over time, whose workload is their quantity and direction. Without a partner by label, the curve of
// the whole run goes before those of its jobs.
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

}  // namespace ftlab
