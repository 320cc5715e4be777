#include "validation/compare/comparison.h"

#include <spdlog/fmt/fmt.h>

namespace ftlab {
namespace {

// Quotes a value that contains a comma, a quote or a line end (RFC 4180).
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string cell(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

std::string workload_cells(const Point& point) {
  const Workload& workload = point.workload;
  return fmt::format("{},{},{},{},{},{},{}", cell(workload.rw), workload.read_percent, workload.block_bytes,
                     cell(workload.block_sizes), workload.depth, workload.jobs, name_of(point.direction));
}

std::string unmatched_rows(const Comparison& comparison) {
  std::string text;
  for (const Unmatched& alone : comparison.matching.unmatched) {
    const std::string label = cell(alone.point->label);
    for (const MetricErrors& errors : comparison.metrics) {
      const auto value = value_of(*alone.point, errors.metric);
      if (!value) continue;
      text += fmt::format("{},{},{},{},{},{},,{}\n", workload_cells(*alone.point), alone.of_a ? label : "",
                          alone.of_a ? "" : label, name_of(errors.metric), alone.of_a ? cell(value) : "",
                          alone.of_a ? "" : cell(value), cell(alone.why));
    }
  }
  return text;
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  std::string text =
      "rw,read_percent,block_bytes,block_sizes,depth,jobs,direction,label_a,label_b,quantity,a,b,error,why_alone\n";
  for (const PointPair& pair : comparison.matching.pairs) {
    for (const MetricErrors& errors : comparison.metrics) {
      const PointError* const error = error_of(errors, pair);
      if (error == nullptr) continue;
      text += fmt::format("{},{},{},{},{},{},{},\n", workload_cells(*pair.a), cell(pair.a->label), cell(pair.b->label),
                          name_of(errors.metric), error->a, error->b, cell(error->error));
    }
  }
  return text + unmatched_rows(comparison);
}

std::string curves_csv(const Comparison& comparison) {
  std::string text = "over,curve,quantity,x_begin,x_end,a,b,error\n";
  for (const CurveComparison& curve : comparison.curves) {
    const std::string name = cell(name_of(*curve.pair.a));
    for (std::size_t i = 0; i < curve.cells.size(); ++i) {
      const GridCell& at = curve.cells[i];
      text += fmt::format("time_s,{},{},{},{},{},{},{}\n", name, name_of(curve.pair.a->quantity), at.begin_s, at.end_s, at.a,
                          at.b, cell(curve.errors[i]));
    }
  }
  for (const SweepComparison& compared : comparison.sweeps) {
    const Sweep& sweep = compared.sweep;
    for (const Sweep::Step& step : sweep.steps)
      text += fmt::format("{},{},{},{},{},{},{},{}\n", name_of(sweep.axis), cell(sweep.workload), name_of(sweep.metric),
                          step.x, step.x, step.a, step.b, cell(relative_error(step.a, step.b)));
  }
  return text;
}

}  // namespace ftlab
