#include "bindings/compare/comparison_report.h"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "sim/config/error.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostLines = 40;

std::string percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }
std::string size_percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

// In the unit that a person reads: IOPS, MB/s, us.
std::string shown(Quantity quantity, double value) {
  switch (quantity) {
    case Quantity::iops: return fmt::format("{:.1f}", value);
    case Quantity::bytes_per_s: return fmt::format("{:.2f} MB/s", value / 1e6);
    case Quantity::latency_mean_ns: break;
  }
  return fmt::format("{:.1f} us", value / 1e3);
}

std::string name_of(const Point& point) {
  std::string name = fmt::format("{} {}", name_of(point.workload), name_of(point.direction));
  return point.label.empty() ? name : name + " (" + printable(point.label) + ")";
}

const PointError* error_of(const AspectErrors& errors, const PointPair& pair) {
  for (const PointError& point : errors.points) {
    if (point.pair.a == pair.a) return &point;
  }
  return nullptr;
}

// As a column of errors is headed.
std::string short_name(const Aspect& aspect) {
  if (aspect.is_percentile()) return fmt::format("p{:g}", aspect.percent);
  constexpr const char* kNames[] = {"iops", "bytes", "mean"};
  return kNames[static_cast<std::size_t>(aspect.quantity)];
}

std::string heads(const Comparison& comparison) {
  const auto head = [](char side, const Measurement& measurement) {
    return fmt::format("  {}  {}{}\n", side, printable(measurement.name),
                       measurement.what.empty() ? "" : ": " + printable(measurement.what));
  };
  return head('A', *comparison.a) + head('B', *comparison.b);
}

// At most kMostLines of the lines, and how many there are more.
std::string first_of(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) text += "  " + lines[i] + "\n";
  if (lines.size() > kMostLines)
    text += fmt::format("  ... {} more; --json and --out have all\n", lines.size() - kMostLines);
  return text;
}

// A column for each aspect: its error. Of the first one the values, too.
std::string points_table(const Comparison& comparison) {
  if (comparison.aspects.empty()) return "";
  const AspectErrors& first = comparison.aspects.front();
  std::string text = fmt::format("\n  {:<46}{:>14}{:>14}", "point", "A " + name_of(first.aspect), "B");
  for (const AspectErrors& errors : comparison.aspects) text += fmt::format("{:>10}", short_name(errors.aspect));
  std::vector<std::string> lines;
  for (const PointPair& pair : comparison.matching.pairs) {
    const PointError* const value = error_of(first, pair);
    std::string line = fmt::format("{:<46}{:>14}{:>14}", name_of(*pair.a).substr(0, 45),
                                   value ? shown(first.aspect.quantity, value->a) : "-",
                                   value ? shown(first.aspect.quantity, value->b) : "-");
    for (const AspectErrors& errors : comparison.aspects) {
      const PointError* const error = error_of(errors, pair);
      line += fmt::format("{:>10}", error ? percent(error->error) : "-");
    }
    lines.push_back(std::move(line));
  }
  return text + "\n" + first_of(lines);
}

std::string unmatched_list(const Comparison& comparison) {
  if (comparison.matching.unmatched.empty()) return "";
  std::vector<std::string> lines;
  for (const Unmatched& alone : comparison.matching.unmatched)
    lines.push_back(fmt::format("{}  {}: {}", alone.of_a ? 'A' : 'B', name_of(*alone.point), alone.why));
  return fmt::format("\n  {} of {} pairs; not compared:\n", comparison.matching.pairs.size(),
                     comparison.matching.pairs.size() + lines.size()) +
         first_of(lines);
}

std::string errors_table(const Comparison& comparison) {
  std::string text =
      fmt::format("\n  {:<30}{:>8}{:>12}{:>12}{:>12}  {}\n", "errors", "number", "median", "95th pc", "mean", "worst");
  const auto row = [&text](const std::string& what, const ErrorSummary& s, double worst, const std::string& where) {
    text += fmt::format("  {:<30}{:>8}{:>12}{:>12}{:>12}  {} {}\n", what, s.count, size_percent(s.median),
                        size_percent(s.p95), percent(s.mean), percent(worst), where);
  };
  for (const AspectErrors& errors : comparison.aspects) {
    const PointError& worst = errors.points[errors.summary.worst];
    row(name_of(errors.aspect), errors.summary, worst.error, name_of(*worst.pair.a));
  }
  for (const CurveComparison& curve : comparison.curves) {
    if (!curve.summary) continue;
    row("series " + name_of(*curve.pair.a), *curve.summary, curve.errors[curve.summary->worst],
        fmt::format("at {:g} s", curve.cells[curve.summary->worst].begin_s));
  }
  return text;
}

std::string described(const TimeShape& shape, Quantity quantity) {
  const std::string fall = shape.fall
                               ? fmt::format("falls at {:.4g} s to {:.1f} %", shape.fall->at_s, 100 * shape.fall->to_share)
                               : "does not fall";
  return fmt::format("{}, steady at {}, swing {}", fall, shown(quantity, shape.steady_level),
                     shape.swing ? fmt::format("{:.1f} %", 100 * *shape.swing) : "-");
}

std::string described(const SweepShape& shape, const Aspect& aspect) {
  return fmt::format("knee at {:.4g}, plateau {}, ends at {}", shape.knee, shown(aspect.quantity, shape.plateau),
                     shape.end_ratio ? fmt::format("{:.3g} times the first", *shape.end_ratio) : "-");
}

std::string shapes_list(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const CurveComparison& curve : comparison.curves) {
    if (!curve.shape_a) continue;
    lines.push_back("series " + name_of(*curve.pair.a));
    lines.push_back("  A  " + described(*curve.shape_a, curve.pair.a->quantity));
    lines.push_back("  B  " + described(*curve.shape_b, curve.pair.a->quantity));
  }
  for (const SweepComparison& sweep : comparison.sweeps) {
    if (!sweep.shape_a) continue;
    lines.push_back(
        fmt::format("{} over {}, {}", name_of(sweep.sweep.aspect), name_of(sweep.sweep.axis), sweep.sweep.workload));
    lines.push_back("  A  " + described(*sweep.shape_a, sweep.sweep.aspect));
    lines.push_back("  B  " + described(*sweep.shape_b, sweep.sweep.aspect));
  }
  return lines.empty() ? "" : "\n  shapes\n" + first_of(lines);
}

std::vector<std::string> all_notes(const Comparison& comparison) {
  std::vector<std::string> notes = comparison.notes;
  for (const Measurement* const measurement : {comparison.a, comparison.b})
    notes.insert(notes.end(), measurement->notes.begin(), measurement->notes.end());
  return notes;
}

std::string notes_list(const Comparison& comparison) {
  std::string text = "\n";
  for (const std::string& note : all_notes(comparison)) text += "  note: " + note + "\n";
  return text == "\n" ? "" : text;
}

// "NO  series iops of reads: median 3.10 % of 5.00 %, p95 16.22 % of 15.00 %"
std::vector<std::string> judgement_lines(const std::vector<Judgement>& judgements) {
  std::vector<std::string> lines;
  for (auto judgement = judgements.begin(); judgement != judgements.end();) {
    const std::string what = judgement->what;
    std::string limits;
    bool within = true;
    for (; judgement != judgements.end() && judgement->what == what; ++judgement) {
      within = within && judgement->within();
      limits += fmt::format("{}{} {} of {}", limits.empty() ? "" : ", ", judgement->statistic,
                            judgement->value ? size_percent(*judgement->value) : "unknown", size_percent(judgement->limit));
    }
    lines.push_back(fmt::format("{:<4}{}: {}", within ? "" : "NO", what, limits));
  }
  return lines;
}

std::string verdict(const Comparison& comparison) {
  if (comparison.judgements.empty()) return "\n  verdict: none, as no tolerance is set for what was compared\n";
  return fmt::format("\n  verdict: {} the tolerances\n", comparison.within() ? "within" : "NOT within") +
         first_of(judgement_lines(comparison.judgements));
}

using Json = nlohmann::ordered_json;

// JSON has no infinite numbers.
Json told(const std::optional<double>& value) { return value && std::isfinite(*value) ? Json(*value) : Json(nullptr); }

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
  return {
      {"count", summary.count}, {"median", told(summary.median)}, {"p95", told(summary.p95)}, {"mean", told(summary.mean)}};
}

Json points_json(const Comparison& comparison) {
  Json points = Json::array();
  for (const PointPair& pair : comparison.matching.pairs) {
    Json point = {{"workload", workload_json(*pair.a)}, {"label_a", pair.a->label}, {"label_b", pair.b->label}};
    for (const AspectErrors& errors : comparison.aspects) {
      if (const PointError* const error = error_of(errors, pair))
        point["quantities"][name_of(errors.aspect)] = {{"a", error->a}, {"b", error->b}, {"error", told(error->error)}};
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
  for (const AspectErrors& errors : comparison.aspects) {
    const PointError& worst = errors.points[errors.summary.worst];
    Json one = summary_json(errors.summary);
    one["worst"] = {
        {"workload", workload_json(*worst.pair.a)}, {"label_a", worst.pair.a->label}, {"error", told(worst.error)}};
    json[name_of(errors.aspect)] = std::move(one);
  }
  return json;
}

Json shape_json(const TimeShape& shape) {
  Json json = {
      {"fall_time_s", nullptr}, {"fall_depth", nullptr}, {"steady_level", shape.steady_level}, {"swing", told(shape.swing)}};
  if (shape.fall) {
    json["fall_time_s"] = shape.fall->at_s;
    json["fall_depth"] = shape.fall->to_share;
  }
  return json;
}

Json shape_json(const SweepShape& shape) {
  return {{"plateau", shape.plateau}, {"knee", shape.knee}, {"end_ratio", told(shape.end_ratio)}};
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
    if (curve.shape_a) one["shape_a"] = shape_json(*curve.shape_a);
    if (curve.shape_b) one["shape_b"] = shape_json(*curve.shape_b);
    list.push_back(std::move(one));
  }
  return list;
}

Json sweeps_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const SweepComparison& compared : comparison.sweeps) {
    const Sweep& sweep = compared.sweep;
    Json one = {{"over", name_of(sweep.axis)},
                {"quantity", name_of(sweep.aspect)},
                {"workload", sweep.workload},
                {"steps", Json::array()}};
    for (const Sweep::Step& step : sweep.steps) one["steps"].push_back({{"x", step.x}, {"a", step.a}, {"b", step.b}});
    if (compared.shape_a) one["shape_a"] = shape_json(*compared.shape_a);
    if (compared.shape_b) one["shape_b"] = shape_json(*compared.shape_b);
    list.push_back(std::move(one));
  }
  return list;
}

Json judgements_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const Judgement& judgement : comparison.judgements)
    list.push_back({{"what", judgement.what},
                    {"statistic", judgement.statistic},
                    {"value", told(judgement.value)},
                    {"limit", judgement.limit},
                    {"within", judgement.within()}});
  return list;
}

// A value with a comma, a quote or a line end in quotes, as RFC 4180 says.
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
    for (const AspectErrors& errors : comparison.aspects) {
      const auto value = value_of(*alone.point, errors.aspect);
      if (!value) continue;
      text += fmt::format("{},{},{},{},{},{},,{}\n", workload_cells(*alone.point), alone.of_a ? label : "",
                          alone.of_a ? "" : label, name_of(errors.aspect), alone.of_a ? cell(value) : "",
                          alone.of_a ? "" : cell(value), cell(alone.why));
    }
  }
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  return heads(comparison) + points_table(comparison) + unmatched_list(comparison) + errors_table(comparison) +
         shapes_list(comparison) + notes_list(comparison) + verdict(comparison);
}

Json comparison_json(const Comparison& comparison) {
  return {{"error_is", "a / b - 1"},
          {"a", side_json(*comparison.a)},
          {"b", side_json(*comparison.b)},
          {"within", comparison.judgements.empty() ? Json(nullptr) : Json(comparison.within())},
          {"judgements", judgements_json(comparison)},
          {"errors", errors_json(comparison)},
          {"points", points_json(comparison)},
          {"unmatched", unmatched_json(comparison)},
          {"series", series_json(comparison)},
          {"sweeps", sweeps_json(comparison)},
          {"notes", all_notes(comparison)}};
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text =
      "rw,read_percent,block_bytes,block_sizes,depth,jobs,direction,label_a,label_b,quantity,a,b,error,why_alone\n";
  for (const PointPair& pair : comparison.matching.pairs) {
    for (const AspectErrors& errors : comparison.aspects) {
      const PointError* const error = error_of(errors, pair);
      if (error == nullptr) continue;
      text += fmt::format("{},{},{},{},{},{},{},\n", workload_cells(*pair.a), cell(pair.a->label), cell(pair.b->label),
                          name_of(errors.aspect), error->a, error->b, cell(error->error));
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
      text += fmt::format("{},{},{},{},{},{},{},{}\n", name_of(sweep.axis), cell(sweep.workload), name_of(sweep.aspect),
                          step.x, step.x, step.a, step.b, cell(relative_error(step.a, step.b)));
  }
  return text;
}

}  // namespace ftlab
