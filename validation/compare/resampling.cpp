#include "validation/compare/resampling.h"

#include <algorithm>
#include <cmath>

#include "validation/compare/error_summary.h"

namespace ftlab {
namespace {

constexpr double kLeastCover = 0.5;

using Interval = TimeCurve::Interval;

double median_length_s(const TimeCurve& curve) {
  std::vector<double> lengths;
  for (const Interval& interval : curve.intervals) lengths.push_back(interval.end_s - interval.begin_s);
  return quantile(std::move(lengths), 0.5);
}

}  // namespace

double end_of(const TimeCurve& curve) { return curve.intervals.empty() ? 0 : curve.intervals.back().end_s; }

std::optional<double> mean_over(const TimeCurve& curve, double begin_s, double end_s) {
  const auto first = std::partition_point(curve.intervals.begin(), curve.intervals.end(),
                                          [begin_s](const Interval& interval) { return interval.end_s <= begin_s; });
  double covered_s = 0, sum = 0;
  for (auto interval = first; interval != curve.intervals.end() && interval->begin_s < end_s; ++interval) {
    const double part_s = std::min(end_s, interval->end_s) - std::max(begin_s, interval->begin_s);
    covered_s += part_s;
    sum += part_s * interval->value;
  }
  if (covered_s < kLeastCover * (end_s - begin_s)) return std::nullopt;
  return sum / covered_s;
}

double natural_step_s(const TimeCurve& a, const TimeCurve& b) { return std::max(median_length_s(a), median_length_s(b)); }

std::vector<GridCell> on_one_grid(const TimeCurve& a, const TimeCurve& b, double step_s) {
  const double last_s = std::min(end_of(a), end_of(b));
  const auto count = static_cast<std::size_t>(std::floor(last_s / step_s + 1e-6));
  std::vector<GridCell> cells;
  for (std::size_t i = 0; i < count; ++i) {
    GridCell cell{static_cast<double>(i) * step_s, static_cast<double>(i + 1) * step_s, 0, 0};
    const auto of_a = mean_over(a, cell.begin_s, cell.end_s);
    const auto of_b = mean_over(b, cell.begin_s, cell.end_s);
    if (!of_a || !of_b) continue;
    cell.a = *of_a;
    cell.b = *of_b;
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace ftlab
