#include "validation/compare/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <spdlog/fmt/fmt.h>
#include <string_view>

#include "sim/core/error.h"
#include "validation/compare/metric.h"

namespace ftlab {
namespace {

struct Named {
  const char* figure;
  Metric metric;
};
constexpr std::array kFigures = {Named{"iops", {Quantity::iops, 0}}, Named{"bw_bytes", {Quantity::bytes_per_s, 0}},
                                 Named{"clat_mean_ns", {Quantity::latency_mean_ns, 0}},
                                 Named{"clat_p50_ns", {Quantity::latency_mean_ns, 50}},
                                 Named{"clat_p95_ns", {Quantity::latency_mean_ns, 95}},
                                 Named{"clat_p99_ns", {Quantity::latency_mean_ns, 99}}};

std::optional<double> figure_of(const Point& point, const std::string& name) {
  const auto named = std::find_if(kFigures.begin(), kFigures.end(), [&](const Named& one) { return name == one.figure; });
  return named == kFigures.end() ? std::nullopt : value_of(point, named->metric);
}

}  // namespace

std::size_t Coverage::inside() const {
  return static_cast<std::size_t>(
      std::count_if(figures.begin(), figures.end(), [](const Figure& figure) { return figure.inside(); }));
}

Coverage coverage_of(const Measurement& a, const std::vector<PointPair>& pairs) {
  Coverage coverage;
  if (!a.facts || !a.facts->intervals) return coverage;
  coverage.known = a.facts->intervals->known;
  coverage.level = a.facts->intervals->level;
  for (const PointPair& pair : pairs) {
    for (const RunFacts::Intervals::Bounds& bounds : a.facts->intervals->bounds) {
      if (bounds.job != pair.a->label || bounds.direction != name_of(pair.a->direction)) continue;
      if (const auto b = figure_of(*pair.b, bounds.figure))
        coverage.figures.push_back({pair, bounds.figure, bounds.low, bounds.high, *b});
    }
  }
  return coverage;
}

namespace {

constexpr double kMostCells = 100'000;

MetricErrors errors_of(const std::vector<PointPair>& pairs, const Metric& metric) {
  MetricErrors errors;
  errors.metric = metric;
  std::vector<double> all;
  for (const PointPair& pair : pairs) {
    const auto a = value_of(*pair.a, metric), b = value_of(*pair.b, metric);
    if (!a || !b) continue;
    all.push_back(relative_error(*a, *b));
    errors.points.push_back({pair, metric, *a, *b, all.back()});
  }
  if (!all.empty()) errors.summary = summarize(all);
  return errors;
}

double step_for(const CurvePair& pair, const std::optional<double>& wished) {
  const double least = std::min(end_of(*pair.a), end_of(*pair.b)) / kMostCells;
  if (!wished) return std::max(least, natural_step_s(*pair.a, *pair.b));
  if (*wished < least)
    throw ConfigError({"--grid", 0}, "", "makes too many cells", fmt::format("{}", *wished),
                      fmt::format("{} or more", least));
  return *wished;
}

CurveComparison compare_curves(const CurvePair& pair, const CompareOptions& options) {
  CurveComparison compared;
  compared.pair = pair;
  compared.step_s = step_for(pair, options.step_s);
  compared.cells = on_one_grid(*pair.a, *pair.b, compared.step_s);
  std::erase_if(compared.cells, [](const GridCell& cell) { return cell.a == 0 && cell.b == 0; });
  for (const GridCell& cell : compared.cells) compared.errors.push_back(relative_error(cell.a, cell.b));
  if (!compared.errors.empty()) compared.summary = summarize(compared.errors);
  if (pair.a->quantity != Quantity::latency_mean_ns) {
    compared.shape_a = shape_of(*pair.a);
    compared.shape_b = shape_of(*pair.b);
  }
  return compared;
}

void note_lengths(const CurveComparison& compared, std::vector<std::string>& notes) {
  const double a_s = end_of(*compared.pair.a), b_s = end_of(*compared.pair.b);
  if (std::abs(a_s - b_s) > compared.step_s)
    notes.push_back(fmt::format("{}: A is {:g} s long and B {:g} s; what lies behind the shorter one is not compared",
                                name_of(*compared.pair.a), a_s, b_s));
  if (compared.cells.empty())
    notes.push_back(fmt::format("{}: no cell of {:g} s is covered by both", name_of(*compared.pair.a), compared.step_s));
}

std::vector<std::pair<double, double>> side(const Sweep& sweep, double Sweep::Step::*value) {
  std::vector<std::pair<double, double>> x_and_y;
  for (const Sweep::Step& step : sweep.steps) x_and_y.emplace_back(step.x, step.*value);
  return x_and_y;
}

SweepComparison compare_sweep(Sweep sweep) {
  SweepComparison compared;
  if (sweep.metric.is_rate()) {
    compared.shape_a = shape_of(side(sweep, &Sweep::Step::a));
    compared.shape_b = shape_of(side(sweep, &Sweep::Step::b));
  }
  compared.sweep = std::move(sweep);
  return compared;
}

class Judge {
 public:
  explicit Judge(const CompareOptions& options) : options_(options) {}

  void judge(const MetricErrors& errors) {
    const bool asked_for =
        std::find(options_.metrics.begin(), options_.metrics.end(), errors.metric) != options_.metrics.end();
    judge_summary(name_of(errors.metric) + " of points", errors.summary, options_.tolerances.of(errors.metric, asked_for));
  }

  void judge(const CurveComparison& curve) {
    if (!curve.shape_a) return;  // latencies over time are shown, not judged
    const std::string what = "series " + name_of(*curve.pair.a);
    judge_summary(what, curve.summary, options_.tolerances.of_series());
    const TimeShape &a = *curve.shape_a, &b = *curve.shape_b;
    if (a.fall || b.fall) {
      const bool both = a.fall && b.fall;
      judge_shape(what, ShapeMeasure::fall_time,
                  both ? std::optional(relative_error(a.fall->at_s, b.fall->at_s)) : std::nullopt);
      judge_shape(what, ShapeMeasure::fall_depth,
                  both ? std::optional(relative_error(a.fall->to_share, b.fall->to_share)) : std::nullopt);
    }
    judge_shape(what, ShapeMeasure::steady_level, relative_error(a.steady_level, b.steady_level));
    judge_shape(what, ShapeMeasure::swing, a.swing && b.swing ? std::optional(*a.swing - *b.swing) : std::nullopt);
  }

  void judge(const SweepComparison& sweep) {
    if (!sweep.shape_a) return;
    const SweepShape &a = *sweep.shape_a, &b = *sweep.shape_b;
    const std::string what =
        fmt::format("{} over {}, {}", name_of(sweep.sweep.metric), name_of(sweep.sweep.axis), sweep.sweep.workload);
    judge_shape(what, ShapeMeasure::knee, relative_error(a.knee, b.knee));
    judge_shape(what, ShapeMeasure::end_ratio,
                a.end_ratio && b.end_ratio ? std::optional(relative_error(*a.end_ratio, *b.end_ratio)) : std::nullopt);
  }

  std::vector<Judgement> take() { return std::move(judgements_); }

 private:
  void judge_summary(const std::string& what, const std::optional<ErrorSummary>& summary, const ErrorLimits& limits) {
    const auto value = [&summary](double ErrorSummary::*statistic) {
      return summary ? std::optional((*summary).*statistic) : std::nullopt;
    };
    if (limits.median) judgements_.push_back({what, "median", value(&ErrorSummary::median), *limits.median});
    if (limits.p95) judgements_.push_back({what, "p95", value(&ErrorSummary::p95), *limits.p95});
  }
  void judge_shape(const std::string& what, ShapeMeasure measure, std::optional<double> error) {
    const auto limit = options_.tolerances.of(measure);
    if (!limit) return;
    if (error) error = std::abs(*error);
    judgements_.push_back({what, name_of(measure), error, *limit});
  }

  const CompareOptions& options_;
  std::vector<Judgement> judgements_;
};

// With a single block size, bytes per second repeat the IOPS.
bool bytes_add_nothing(const std::vector<PointPair>& pairs) {
  return std::all_of(pairs.begin(), pairs.end(), [&pairs](const PointPair& pair) {
    const std::uint64_t bytes = pair.a->workload.block_bytes;
    return bytes > 0 && bytes == pairs.front().a->workload.block_bytes && pair.a->iops && pair.b->iops;
  });
}

std::vector<Metric> metrics_of_points(const std::vector<PointPair>& pairs, const CompareOptions& options) {
  if (!options.metrics.empty()) return options.metrics;
  std::vector<Metric> metrics = usual_metrics();
  if (bytes_add_nothing(pairs)) std::erase(metrics, Metric{Quantity::bytes_per_s, 0});
  return metrics;
}

// Curves over time have no percentiles.
bool is_asked_for(Quantity quantity, const std::vector<Metric>& metrics) {
  return metrics.empty() || std::find(metrics.begin(), metrics.end(), Metric{quantity, 0}) != metrics.end();
}

[[noreturn]] void refuse_nothing_in_common(const Measurement& a, const Measurement& b) {
  const auto first = [](const Measurement& measurement) {
    if (measurement.points.empty()) return name_of(measurement.curves.front());
    return name_of(measurement.points.front().workload) + ", " + name_of(measurement.points.front().direction);
  };
  throw ConfigError({a.name, 0}, "", "has no workload and no curve in common with " + b.name, first(a),
                    "the same rw, mix, block size, depth, jobs and direction, as in B: " + first(b));
}

}  // namespace

const PointError* error_of(const MetricErrors& errors, const PointPair& pair) {
  // Pairs are in the order of A's points, which are contiguous.
  const auto found = std::lower_bound(errors.points.begin(), errors.points.end(), pair.a,
                                      [](const PointError& error, const Point* a) { return error.pair.a < a; });
  return found != errors.points.end() && found->pair.a == pair.a ? &*found : nullptr;
}

std::vector<std::string> Comparison::all_notes() const {
  std::vector<std::string> all = notes;
  for (const Measurement* const measurement : {a, b})
    all.insert(all.end(), measurement->notes.begin(), measurement->notes.end());
  return all;
}

bool Comparison::within() const {
  return std::all_of(judgements.begin(), judgements.end(), [](const Judgement& judgement) { return judgement.within(); });
}

Comparison compare(const Measurement& a, const Measurement& b, const CompareOptions& options) {
  Comparison comparison;
  comparison.a = &a;
  comparison.b = &b;
  comparison.obstacles = obstacles(a, b, options.host);
  comparison.two_designs = are_two_designs(a, b) && !options.tolerances.asked_for();
  comparison.matching = match_points(a.points, b.points);
  CurveMatching curves = match_curves(a.curves, b.curves);
  if (comparison.matching.pairs.empty() && curves.pairs.empty()) refuse_nothing_in_common(a, b);
  comparison.notes = std::move(curves.unmatched);
  comparison.coverage = coverage_of(a, comparison.matching.pairs);
  const std::vector<Metric> metrics = metrics_of_points(comparison.matching.pairs, options);
  Judge judge(options);
  for (const Metric& metric : metrics) {
    MetricErrors errors = errors_of(comparison.matching.pairs, metric);
    if (errors.points.empty()) continue;
    judge.judge(errors);
    comparison.metrics.push_back(std::move(errors));
  }
  for (const CurvePair& pair : curves.pairs) {
    if (!is_asked_for(pair.a->quantity, options.metrics)) continue;
    comparison.curves.push_back(compare_curves(pair, options));
    note_lengths(comparison.curves.back(), comparison.notes);
    judge.judge(comparison.curves.back());
  }
  for (Sweep& sweep : sweeps_of(comparison.matching.pairs, metrics)) {
    comparison.sweeps.push_back(compare_sweep(std::move(sweep)));
    judge.judge(comparison.sweeps.back());
  }
  if (comparison.metrics.empty() && comparison.curves.empty())
    throw ConfigError({a.name, 0}, "", "shares no value of the quantities asked for with " + b.name);
  if (!comparison.two_designs) comparison.judgements = judge.take();
  return comparison;
}

namespace {

// A run that is not yet steady can be compared with another in the same state.
constexpr std::string_view kComparable[] = {"not_steady", "not_written_over", "unusual_value"};
constexpr double kSizeRatio = 2;
constexpr std::size_t kSentence = 300;  // characters shown of a sentence from a result file

std::string gigabytes(std::uint64_t bytes) { return fmt::format("{:.4g} GB", static_cast<double>(bytes) / 1e9); }

void add_own(char side, const Measurement& measurement, std::vector<std::string>& found) {
  if (measurement.buffered)
    found.push_back(
        fmt::format("{} ran through the page cache (direct=0): its latencies are those of memory; measure with "
                    "direct=1",
                    side));
  if (!measurement.facts) return;
  const RunFacts& facts = *measurement.facts;
  if (!facts.ended_because.empty()) found.push_back(fmt::format("{} is incomplete: {}", side, facts.ended_because));
  if (facts.untimed) found.push_back(fmt::format("{} ran --untimed: it has no rates and no latencies", side));
  for (const RunFacts::Problem& problem : facts.problems) {
    if (std::find(std::begin(kComparable), std::end(kComparable), problem.code) != std::end(kComparable)) continue;
    found.push_back(fmt::format("{}: {}: {}; {}", side, printable(problem.code), printable(problem.text, kSentence),
                                printable(problem.remedy, kSentence)));
  }
}

void add_sizes(const Measurement& a, const Measurement& b, std::vector<std::string>& found) {
  if (a.capacity_bytes == 0 || b.capacity_bytes == 0) return;
  const auto ratio = static_cast<double>(std::max(a.capacity_bytes, b.capacity_bytes)) /
                     static_cast<double>(std::min(a.capacity_bytes, b.capacity_bytes));
  if (ratio < kSizeRatio) return;
  found.push_back(
      fmt::format("A has {} and B {}: random requests go over different ranges; give both the same size= in bytes, or "
                  "simulate a drive of the other's size",
                  gigabytes(a.capacity_bytes), gigabytes(b.capacity_bytes)));
}

void add_steadiness(const RunFacts& a, const RunFacts& b, std::vector<std::string>& found) {
  if (!a.wa || !b.wa || !a.wa->at_end || !b.wa->at_end || a.wa->steady == b.wa->steady) return;
  const RunFacts::WriteAmplification& other = a.wa->steady ? *b.wa : *a.wa;
  found.push_back(fmt::format("{} is steady and {} is not ({}); run both longer, or with --until-steady",
                              a.wa->steady ? 'A' : 'B', a.wa->steady ? 'B' : 'A', other.why_not_steady));
}

void add_host(char side, const Measurement& measurement, const std::string& host, std::vector<std::string>& found) {
  if (host.empty() || !measurement.facts || measurement.facts->host.empty() || measurement.facts->host == host) return;
  found.push_back(
      fmt::format("{} was simulated on the host \"{}\" and the measurement made on \"{}\"; simulate with that --host", side,
                  measurement.facts->host, host));
}

}  // namespace

std::vector<std::string> obstacles(const Measurement& a, const Measurement& b, const std::string& host) {
  std::vector<std::string> found;
  add_host('A', a, host, found);
  add_host('B', b, host, found);
  add_own('A', a, found);
  add_own('B', b, found);
  add_sizes(a, b, found);
  if (!a.facts || !b.facts) return found;
  add_steadiness(*a.facts, *b.facts, found);
  return found;
}

bool are_two_designs(const Measurement& a, const Measurement& b) {
  return a.facts && b.facts && a.facts->simulated && b.facts->simulated && !a.facts->drive.empty() &&
         !b.facts->drive.empty() && a.facts->drive != b.facts->drive;
}

std::vector<DesignRow> design_rows(const Measurement& a, const Measurement& b) {
  std::vector<DesignRow> rows;
  if (!a.facts || !b.facts) return rows;
  const auto add = [&rows](const char* name, const std::optional<double>& of_a, const std::optional<double>& of_b,
                           bool less_is_better = true, double unit = 1) {
    if (of_a && of_b) rows.push_back({name, *of_a / unit, *of_b / unit, less_is_better});
  };
  const auto whole = [](const Measurement& m) { return m.facts->wa ? std::optional(m.facts->wa->whole_run) : std::nullopt; };
  const auto at_end = [](const Measurement& m) { return m.facts->wa ? m.facts->wa->at_end : std::nullopt; };
  add("write amplification at the end", at_end(a), at_end(b));
  add("write amplification since the beginning", whole(a), whole(b));
  add("blocks erased by the run", a.facts->blocks_erased, b.facts->blocks_erased);
  add("erases per block, mean", a.facts->erases_per_block, b.facts->erases_per_block);
  add("life in host writes, TB", a.facts->tbw_bytes, b.facts->tbw_bytes, false, 1e12);
  return rows;
}

}  // namespace ftlab
