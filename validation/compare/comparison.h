// Comparison of measurement A with the reference B. All errors are A / B - 1.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "validation/compare/error_summary.h"
#include "validation/compare/matching.h"
#include "validation/compare/metric.h"
#include "validation/compare/reading/measurement.h"
#include "validation/compare/shape.h"

namespace ftlab {

// How many of B's figures lie in the intervals that A states for a real drive (ftlab run --interval).
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
  std::vector<std::string> obstacles;  // why the two should not be compared as they are: obstacles()
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

// Decides if two runs may be compared: looks for differences other than the compared values.

// One sentence with a remedy for each reason why A and B are not comparable: problems of either run (reads of space never
// written, depth counted as 1), runs that ended early, runs without a clock, a capacity ratio of two or more, one drive
// steady and the other not, a page cache between job and device, a simulation of another host than `host`.
std::vector<std::string> obstacles(const Measurement& a, const Measurement& b, const std::string& host = {});

// True for simulations of two different drives, which are two designs and not a model and its reference.
bool are_two_designs(const Measurement& a, const Measurement& b);

// Differences of two designs that no point shows. One row per quantity that both have.
struct DesignRow {
  std::string name;  // with its unit
  double a = 0, b = 0;
  bool less_is_better = true;
};
std::vector<DesignRow> design_rows(const Measurement& a, const Measurement& b);

// Output of a comparison as text, JSON and CSV.

// All points and unmatched points, up to 40 lines of each, then errors, shapes and the verdict.
std::string comparison_text(const Comparison& comparison);

nlohmann::ordered_json comparison_json(const Comparison& comparison);

// One line for each pair and quantity: rw, read_percent, block_bytes, block_sizes, depth, jobs, direction, label_a, label_b,
// quantity, a, b, error. Unmatched points follow with one value missing and the reason. Missing values are empty cells.
std::string comparison_csv(const Comparison& comparison);

// Curves on their common x, for plots with residuals: over (time_s, depth, block_bytes, jobs), curve, quantity, x_begin,
// x_end, a, b, error. x_begin equals x_end where x is not an interval.
std::string curves_csv(const Comparison& comparison);

// Selects the part of a measurement to compare.

struct NumberRange {
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
  bool holds(std::uint64_t number) const { return low <= number && number <= high; }
};

// "32", "1-32", "4k-64k". Throws ConfigError naming `option`.
NumberRange parse_number_range(const std::string& text, const std::string& option);

// Returns fio's shortest name, as "randread". Throws ConfigError naming `option`.
std::string parse_access(const std::string& text, const std::string& option);

struct Selection {
  std::optional<Direction> direction;
  std::vector<std::string> rw;           // empty: all
  NumberRange depth, block_bytes, jobs;  // varying sizes match only the full range
};

// Removes everything that is not selected and notes how much. Curves have a direction but no workload, so selecting
// workloads removes all of them. Throws ConfigError if nothing is left.
void select(const Selection& selection, Measurement& measurement);

}  // namespace ftlab
