// Two measurements held against each other: A against the reference B. All errors are A / B - 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validation/compare/comparability.h"
#include "validation/compare/error_summary.h"
#include "validation/compare/matching.h"
#include "validation/compare/metric.h"
#include "validation/compare/resampling.h"
#include "validation/compare/shape.h"
#include "validation/compare/sweep.h"
#include "validation/compare/tolerance.h"

namespace ftlab {

struct PointError {
  PointPair pair;
  Metric metric;
  double a = 0, b = 0;
  double error = 0;  // infinite when the reference is 0
};

// All points of one aspect.
struct MetricErrors {
  Metric metric;
  std::vector<PointError> points;
  ErrorSummary summary;  // `worst` is a position among `points`
};

// Nothing when the pair has no such value. Logarithmic. REQUIRES: a pair of the comparison that `errors` belong to.
const PointError* error_of(const MetricErrors& errors, const PointPair& pair);

struct CurveComparison {
  CurvePair pair;
  double step_s = 0;
  std::vector<GridCell> cells;                // without those in which neither did anything, which would all be right
  std::vector<double> errors;                 // of each cell
  std::optional<ErrorSummary> summary;        // `worst` is a position among `cells`; nothing when there is no cell
  std::optional<TimeShape> shape_a, shape_b;  // of rates
};

struct SweepComparison {
  Sweep sweep;
  std::optional<SweepShape> shape_a, shape_b;  // of rates
};

struct Judgement {
  std::string what;             // "iops of points"
  std::string statistic;        // "median", "p95", or a measure of shape
  std::optional<double> value;  // nothing: only one of the two has it
  double limit = 0;
  bool within() const { return value && *value <= limit; }
};

struct Comparison {
  const Measurement* a = nullptr;
  const Measurement* b = nullptr;
  Matching matching;
  std::vector<MetricErrors> metrics;  // those that at least one pair has; all have points
  std::vector<CurveComparison> curves;
  std::vector<SweepComparison> sweeps;
  std::vector<std::string> obstacles;  // why the two should not be compared as they are (comparability.h)
  bool two_designs = false;            // and no tolerance was asked for: nothing is judged
  std::vector<Judgement> judgements;
  std::vector<std::string> notes;  // unmatched curves, lengths that differ

  bool within() const;
  std::vector<std::string> all_notes() const;  // those of both measurements, too
};

struct CompareOptions {
  // Empty: the usual ones, of which bytes_per_s is left out for points that say the same by their IOPS, all blocks having
  // one size.
  std::vector<Metric> metrics;

  std::optional<double> step_s;  // of the common grid; the natural one otherwise
  Tolerances tolerances;
  std::string host;  // the name of that which the measured one was made on; empty: not told
};

// Throws ConfigError when the two have nothing in common, or the grid would have more than 100,000 cells. REQUIRES: both
// outlive the result.
Comparison compare(const Measurement& a, const Measurement& b, const CompareOptions& options);

}  // namespace ftlab
