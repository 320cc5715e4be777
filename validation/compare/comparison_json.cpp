#include "validation/compare/comparison.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity.
Json reported(const std::optional<double>& value) { return value && std::isfinite(*value) ? Json(*value) : Json(nullptr); }

Json workload_json(const Point& point) {
  const Workload& workload = point.workload;
  Json json = {{"rw", workload.rw}, {"read_percent", workload.read_percent}, {"block_bytes", workload.block_bytes}};
  if (!workload.block_sizes.empty()) json["block_sizes"] = workload.block_sizes;
  json["depth"] = workload.depth;
  json["jobs"] = workload.jobs;
  json["direction"] = name_of(point.direction);
  return json;
}

Json side_json(const Measurement& measurement) {
  return {{"path", measurement.name},
          {"what", measurement.what},
          {"source", measurement.source},
          {"points", measurement.points.size()},
          {"curves", measurement.curves.size()}};
}

Json summary_json(const ErrorSummary& summary) {
  return {{"count", summary.count},
          {"median", reported(summary.median)},
          {"p95", reported(summary.p95)},
          {"mean", reported(summary.mean)}};
}

Json points_json(const Comparison& comparison) {
  Json points = Json::array();
  for (const PointPair& pair : comparison.matching.pairs) {
    Json point = {{"workload", workload_json(*pair.a)}, {"label_a", pair.a->label}, {"label_b", pair.b->label}};
    for (const MetricErrors& errors : comparison.metrics) {
      if (const PointError* const error = error_of(errors, pair))
        point["quantities"][name_of(errors.metric)] = {{"a", error->a}, {"b", error->b}, {"error", reported(error->error)}};
    }
    points.push_back(std::move(point));
  }
  return points;
}

Json unmatched_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const Unmatched& alone : comparison.matching.unmatched)
    list.push_back({{"of", alone.of_a ? "a" : "b"},
                    {"workload", workload_json(*alone.point)},
                    {"label", alone.point->label},
                    {"why", alone.why}});
  return list;
}

Json errors_json(const Comparison& comparison) {
  Json json = Json::object();
  for (const MetricErrors& errors : comparison.metrics) {
    const PointError& worst = errors.points[errors.summary.worst];
    Json one = summary_json(errors.summary);
    one["worst"] = {
        {"workload", workload_json(*worst.pair.a)}, {"label_a", worst.pair.a->label}, {"error", reported(worst.error)}};
    json[name_of(errors.metric)] = std::move(one);
  }
  return json;
}

Json shape_json(const TimeShape& shape) {
  Json json = {{"fall_time_s", nullptr},
               {"fall_depth", nullptr},
               {"steady_level", shape.steady_level},
               {"swing", reported(shape.swing)}};
  if (shape.fall) {
    json["fall_time_s"] = shape.fall->at_s;
    json["fall_depth"] = shape.fall->to_share;
  }
  return json;
}

Json shape_json(const SweepShape& shape) {
  return {{"plateau", shape.plateau}, {"knee", shape.knee}, {"end_ratio", reported(shape.end_ratio)}};
}

// For a curve or a sweep. A side without a shape gets no entry.
template <class Compared>
void add_shapes(Json& json, const Compared& compared) {
  if (compared.shape_a) json["shape_a"] = shape_json(*compared.shape_a);
  if (compared.shape_b) json["shape_b"] = shape_json(*compared.shape_b);
}

Json series_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const CurveComparison& curve : comparison.curves) {
    const TimeCurve &a = *curve.pair.a, &b = *curve.pair.b;
    Json one = {{"quantity", name_of(a.quantity)},
                {"direction", name_of(a.direction)},
                {"label_a", a.label},
                {"label_b", b.label},
                {"length_a_s", end_of(a)},
                {"length_b_s", end_of(b)},
                {"step_s", curve.step_s},
                {"cells", curve.cells.size()}};
    if (curve.summary) one["errors"] = summary_json(*curve.summary);
    add_shapes(one, curve);
    list.push_back(std::move(one));
  }
  return list;
}

Json sweeps_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const SweepComparison& compared : comparison.sweeps) {
    const Sweep& sweep = compared.sweep;
    Json one = {{"over", name_of(sweep.axis)},
                {"quantity", name_of(sweep.metric)},
                {"workload", sweep.workload},
                {"steps", Json::array()}};
    for (const Sweep::Step& step : sweep.steps) one["steps"].push_back({{"x", step.x}, {"a", step.a}, {"b", step.b}});
    add_shapes(one, compared);
    list.push_back(std::move(one));
  }
  return list;
}

Json judgements_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const Judgement& judgement : comparison.judgements)
    list.push_back({{"what", judgement.what},
                    {"statistic", judgement.statistic},
                    {"value", reported(judgement.value)},
                    {"limit", judgement.limit},
                    {"within", judgement.within()}});
  return list;
}

Json designs_json(const Comparison& comparison) {
  if (!comparison.two_designs) return nullptr;
  Json rows = Json::array();
  for (const DesignRow& row : design_rows(*comparison.a, *comparison.b))
    rows.push_back({{"what", row.name}, {"a", row.a}, {"b", row.b}, {"less_is_better", row.less_is_better}});
  return rows;
}

Json coverage_json(const Coverage& coverage) {
  if (coverage.figures.empty()) return nullptr;
  Json figures = Json::array();
  for (const Coverage::Figure& figure : coverage.figures)
    figures.push_back({{"workload", workload_json(*figure.pair.a)},
                       {"figure", figure.figure},
                       {"low", figure.low},
                       {"high", figure.high},
                       {"b", figure.b},
                       {"inside", figure.inside()}});
  return {{"known", coverage.known}, {"level", coverage.level}, {"inside", coverage.inside()}, {"figures", figures}};
}

}  // namespace

Json comparison_json(const Comparison& comparison) {
  return {{"error_is", "a / b - 1"},
          {"a", side_json(*comparison.a)},
          {"b", side_json(*comparison.b)},
          {"within", comparison.judgements.empty() ? Json(nullptr) : Json(comparison.within())},
          {"obstacles", comparison.obstacles},
          {"two_designs", designs_json(comparison)},
          {"judgements", judgements_json(comparison)},
          {"errors", errors_json(comparison)},
          {"points", points_json(comparison)},
          {"unmatched", unmatched_json(comparison)},
          {"series", series_json(comparison)},
          {"sweeps", sweeps_json(comparison)},
          {"intervals", coverage_json(comparison.coverage)},
          {"notes", comparison.all_notes()}};
}

}  // namespace ftlab
