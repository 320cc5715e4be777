// Comparison of measurement A with the reference B. All errors are A / B - 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validation/compare/comparability.h"
#include "validation/compare/coverage.h"
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

// All points of one metric.
struct MetricErrors {
  Metric metric;
  std::vector<PointError> points;
  ErrorSummary summary;  // `worst` is an index into `points`
};

// Null when the pair has no such value. O(log n). REQUIRES: `pair` is of the comparison that `errors` belong to.
const PointError* error_of(const MetricErrors& errors, const PointPair& pair);

struct CurveComparison {
  CurvePair pair;
  double step_s = 0;
  std::vector<GridCell> cells;                // cells with activity in A or B; idle ones would all count as correct
  std::vector<double> errors;                 // one per cell
  std::optional<ErrorSummary> summary;        // `worst` is an index into `cells`; absent without cells
  std::optional<TimeShape> shape_a, shape_b;  // rates only
};

struct SweepComparison {
  Sweep sweep;
  std::optional<SweepShape> shape_a, shape_b;  // rates only
};

struct Judgement {
  std::string what;             // "iops of points"
  std::string statistic;        // "median", "p95", or a measure of shape
  std::optional<double> value;  // absent if only one of the two has it
  double limit = 0;
  bool within() const { return value && *value <= limit; }
};

struct Comparison {
  const Measurement* a = nullptr;
  const Measurement* b = nullptr;
  Matching matching;
  std::vector<MetricErrors> metrics;  // metrics that at least one pair has; none is empty
  std::vector<CurveComparison> curves;
  std::vector<SweepComparison> sweeps;
  std::vector<std::string> obstacles;  // why the two should not be compared as they are (comparability.h)
  bool two_designs = false;            // and no tolerance was given: nothing is judged
  std::vector<Judgement> judgements;
  Coverage coverage;               // of B's figures by A's intervals
  std::vector<std::string> notes;  // unmatched curves, lengths that differ

  bool within() const;
  std::vector<std::string> all_notes() const;  // includes those of both measurements
};

struct CompareOptions {
  // Empty: the default metrics, without bytes_per_s if all blocks have one size and it repeats the IOPS.
  std::vector<Metric> metrics;

  std::optional<double> step_s;  // step of the common grid; default: natural_step_s()
  Tolerances tolerances;
  std::string host;  // host on which the real device was measured; empty: unknown
};

// Throws ConfigError if the two have nothing in common or the grid would have more than 100,000 cells. REQUIRES: both
// outlive the result.
Comparison compare(const Measurement& a, const Measurement& b, const CompareOptions& options);

}  // namespace ftlab
