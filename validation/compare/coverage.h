// How many of B's figures lie in the intervals that A states for a real drive (ftlab run --interval).
#pragma once

#include <string>
#include <vector>

#include "validation/compare/matching.h"

namespace ftlab {

struct Coverage {
  struct Figure {
    PointPair pair;
    std::string figure;  // as in result.json: iops, clat_mean_ns
    double low = 0, high = 0, b = 0;
    bool inside() const { return b >= low && b <= high; }
  };
  std::string known;  // what A's drive file is based on
  double level = 0;   // expected share of figures inside
  std::vector<Figure> figures;

  std::size_t inside() const;
};

// Counts pairs in which A has an interval and B has the figure; empty if A has no intervals.
Coverage coverage_of(const Measurement& a, const std::vector<PointPair>& pairs);

}  // namespace ftlab
