#include "validation/compare/comparison.h"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostLines = 40;

std::string percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }
std::string size_percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

// In display units: IOPS, MB/s, us.
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

// Column heading of an error.
std::string short_name(const Metric& metric) {
  if (metric.is_percentile()) return fmt::format("p{:g}", metric.percent);
  constexpr const char* kNames[] = {"iops", "bytes", "mean"};
  return kNames[static_cast<std::size_t>(metric.quantity)];
}

std::string heads(const Comparison& comparison) {
  const auto head = [](char side, const Measurement& measurement) {
    return fmt::format("  {}  {}{}\n", side, printable(measurement.name),
                       measurement.what.empty() ? "" : ": " + printable(measurement.what));
  };
  return head('A', *comparison.a) + head('B', *comparison.b);
}

// At most kMostLines lines, then the number of omitted ones.
std::string first_of(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) text += "  " + lines[i] + "\n";
  if (lines.size() > kMostLines) text += fmt::format("{} more rows; --json and --out have all\n", lines.size() - kMostLines);
  return text;
}

// Printed before the verdict and all values.
std::string obstacles_list(const Comparison& comparison) {
  if (comparison.obstacles.empty()) return "";
  std::string text = "NOT COMPARABLE as they are:\n";
  for (const std::string& obstacle : comparison.obstacles) text += "  - " + obstacle + "\n";
  return text;
}

// "A by 12.0 %": the difference relative to the worse value.
std::string better(const DesignRow& row) {
  if (row.a == row.b) return "equal";
  const bool a_is = (row.a < row.b) == row.less_is_better;
  const double worse = row.less_is_better ? std::max(row.a, row.b) : std::min(row.a, row.b);
  return fmt::format("{} by {}", a_is ? 'A' : 'B',
                     worse > 0 ? fmt::format("{:.1f} %", 100 * std::abs(row.a - row.b) / worse) : "all");
}

bool has_untimed(const Comparison& comparison) {
  return (comparison.a->facts && comparison.a->facts->untimed) || (comparison.b->facts && comparison.b->facts->untimed);
}

// For two designs: properties that no point shows, then the better one for each metric of the points.
std::string designs_table(const Comparison& comparison) {
  if (!comparison.two_designs) return "";
  std::vector<DesignRow> rows = design_rows(*comparison.a, *comparison.b);
  for (const MetricErrors& errors : comparison.metrics) {
    if (has_untimed(comparison)) break;
    const bool rate = errors.metric.is_rate();
    const bool bytes = errors.metric.quantity == Quantity::bytes_per_s;
    const double unit = bytes ? 1e6 : rate ? 1 : 1e3;
    const char* const in = bytes ? " in MB/s" : rate ? "" : " in us";
    for (const PointError& point : errors.points)
      rows.push_back({fmt::format("{}{}: {}", name_of(errors.metric), in, name_of(*point.pair.a)), point.a / unit,
                      point.b / unit, !rate});
  }
  std::string text = fmt::format("\n  {:<58}{:>14}{:>14}  {}\n", "two designs", "A", "B", "better");
  std::vector<std::string> lines;
  for (const DesignRow& row : rows)
    lines.push_back(fmt::format("{:<58}{:>14.6g}{:>14.6g}  {}", row.name.substr(0, 57), row.a, row.b, better(row)));
  return text + first_of(lines);
}

// One error column per metric. The first metric also shows its values.
std::string points_table(const Comparison& comparison) {
  if (comparison.metrics.empty()) return "";
  const MetricErrors& first = comparison.metrics.front();
  std::string text = fmt::format("\n  {:<46}{:>14}{:>14}", "point", "A " + name_of(first.metric), "B");
  for (const MetricErrors& errors : comparison.metrics) text += fmt::format("{:>10}", short_name(errors.metric));
  std::vector<std::string> lines;
  for (const PointPair& pair : comparison.matching.pairs) {
    const PointError* const value = error_of(first, pair);
    std::string line = fmt::format("{:<46}{:>14}{:>14}", name_of(*pair.a).substr(0, 45),
                                   value ? shown(first.metric.quantity, value->a) : "-",
                                   value ? shown(first.metric.quantity, value->b) : "-");
    for (const MetricErrors& errors : comparison.metrics) {
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
  for (const MetricErrors& errors : comparison.metrics) {
    const PointError& worst = errors.points[errors.summary.worst];
    row(name_of(errors.metric), errors.summary, worst.error, name_of(*worst.pair.a));
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

std::string described(const SweepShape& shape, const Metric& metric) {
  return fmt::format("knee at {:.4g}, plateau {}, ends at {}", shape.knee, shown(metric.quantity, shape.plateau),
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
        fmt::format("{} over {}, {}", name_of(sweep.sweep.metric), name_of(sweep.sweep.axis), sweep.sweep.workload));
    lines.push_back("  A  " + described(*sweep.shape_a, sweep.sweep.metric));
    lines.push_back("  B  " + described(*sweep.shape_b, sweep.sweep.metric));
  }
  return lines.empty() ? "" : "\n  shapes\n" + first_of(lines);
}

// "80 % intervals of A (sheet): 7 of 9 figures of B lie in them", and those that do not.
std::string coverage_list(const Coverage& coverage) {
  if (coverage.figures.empty()) return "";
  std::vector<std::string> lines;
  for (const Coverage::Figure& figure : coverage.figures)
    if (!figure.inside())
      lines.push_back(fmt::format("outside: {} of {}: {:.6g}, interval {:.6g} to {:.6g}", figure.figure,
                                  name_of(*figure.pair.b), figure.b, figure.low, figure.high));
  return fmt::format("\n  {:.0f} % intervals of A ({}): {} of {} figures of B lie in them\n", 100 * coverage.level,
                     coverage.known, coverage.inside(), coverage.figures.size()) +
         first_of(lines);
}

std::string notes_list(const Comparison& comparison) {
  std::string text = "\n";
  for (const std::string& note : comparison.all_notes()) text += "  note: " + note + "\n";
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
  if (comparison.two_designs) return "\n  verdict: none, since both are simulated designs; --tolerance requests one\n";
  if (comparison.judgements.empty()) return "\n  verdict: none, as no tolerance is set for what was compared\n";
  return fmt::format("\n  verdict: {} the tolerances\n", comparison.within() ? "within" : "NOT within") +
         first_of(judgement_lines(comparison.judgements));
}

// One-line answer at the top if any judged value exceeds its limit.
std::string headline(const Comparison& comparison) {
  if (comparison.two_designs || comparison.within()) return "";
  std::size_t outside = 0;
  const Judgement* worst = nullptr;  // relative to its limit
  const auto off = [](const Judgement& j) { return j.value ? *j.value / std::max(j.limit, 1e-9) : 0; };
  for (const Judgement& judgement : comparison.judgements) {
    if (judgement.within()) continue;
    ++outside;
    if (worst == nullptr || off(judgement) > off(*worst)) worst = &judgement;
  }
  return fmt::format("FAR OFF: {} of {} judged figures lie outside the tolerances; the worst is {}: {} {} of {}\n", outside,
                     comparison.judgements.size(), worst->what, worst->statistic,
                     worst->value ? size_percent(*worst->value) : "unknown", size_percent(worst->limit));
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  if (comparison.two_designs && has_untimed(comparison))  // points need a clock
    return obstacles_list(comparison) + heads(comparison) + designs_table(comparison) + verdict(comparison);
  return obstacles_list(comparison) + headline(comparison) + heads(comparison) + designs_table(comparison) +
         points_table(comparison) + unmatched_list(comparison) + errors_table(comparison) + coverage_list(comparison.coverage) +
         shapes_list(comparison) + notes_list(comparison) + verdict(comparison);
}

}  // namespace ftlab
