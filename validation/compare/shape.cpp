#include "validation/compare/shape.h"

#include <algorithm>
#include <cmath>

#include "sim/core/check.h"
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

namespace {

using Interval = TimeCurve::Interval;
using Iterator = std::vector<Interval>::const_iterator;

constexpr double kLeastFall = 0.9;       // a fall ends below this share of the level before it
constexpr double kLeastTail = 1.0 / 20;  // least share of the run after a fall
constexpr double kPlateauShare = 0.9;

double length(const Interval& interval) { return interval.end_s - interval.begin_s; }

struct Sum {
  double time_s = 0, amount = 0;
  void add(const Interval& interval) {
    time_s += length(interval);
    amount += length(interval) * interval.value;
  }
  double mean() const { return time_s > 0 ? amount / time_s : 0; }
};

Sum sum_of(Iterator begin, Iterator end) {
  Sum sum;
  for (; begin != end; ++begin) sum.add(*begin);
  return sum;
}

// The squared error of two levels is that of one level, minus time1 * time2 / time * (difference of the levels)^2. The best
// split maximizes that term.
Iterator best_split(const std::vector<Interval>& intervals) {
  const Sum all = sum_of(intervals.begin(), intervals.end());
  Sum before;
  double most = 0;
  Iterator best = intervals.end();
  for (auto next = intervals.begin(); next + 1 != intervals.end(); ++next) {
    before.add(*next);
    const Sum after{all.time_s - before.time_s, all.amount - before.amount};
    const double step = before.mean() - after.mean();
    const double gain = before.time_s * after.time_s * step * step;
    if (gain <= most) continue;
    most = gain;
    best = next + 1;
  }
  return best;
}

struct FallAt {
  Iterator first;  // the interval after the fall
  TimeShape::Fall fall;
};

std::optional<FallAt> fall_of(const std::vector<Interval>& intervals) {
  const Iterator split = best_split(intervals);
  if (split == intervals.end()) return std::nullopt;
  const double tail_s = intervals.back().end_s - split->begin_s;
  if (tail_s < kLeastTail * (intervals.back().end_s - intervals.front().begin_s)) return std::nullopt;  // a dip at the end
  const double before = sum_of(intervals.begin(), split).mean();
  const double after = sum_of(split, intervals.end()).mean();
  if (after >= kLeastFall * before) return std::nullopt;
  return FallAt{split, {split->begin_s, after / before}};
}

// The value that the curve is below for `share` of the time.
double percentile_by_time(std::vector<Interval> intervals, double share) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.value < b.value; });
  double rest_s = share * sum_of(intervals.begin(), intervals.end()).time_s;
  for (const Interval& interval : intervals) {
    rest_s -= length(interval);
    if (rest_s <= 0) return interval.value;
  }
  return intervals.back().value;
}

// Second half, in time, of the intervals from `first`; at least one interval.
std::vector<Interval> second_half(Iterator first, Iterator end) {
  const double middle_s = (first->begin_s + (end - 1)->end_s) / 2;
  const auto begin = std::find_if(first, end - 1, [middle_s](const Interval& i) { return i.begin_s >= middle_s - 1e-9; });
  return {begin, end};
}

}  // namespace

TimeShape shape_of(const TimeCurve& curve) {
  FTLAB_CHECK(!curve.intervals.empty(), "the shape of a curve without intervals");
  TimeShape shape;
  Iterator first = curve.intervals.begin();
  if (const auto found = fall_of(curve.intervals)) {
    shape.fall = found->fall;
    first = found->first;
  }
  const std::vector<Interval> steady = second_half(first, curve.intervals.end());
  shape.steady_level = sum_of(steady.begin(), steady.end()).mean();
  if (shape.steady_level > 0)
    shape.swing = (percentile_by_time(steady, 0.95) - percentile_by_time(steady, 0.05)) / shape.steady_level;
  return shape;
}

SweepShape shape_of(const std::vector<std::pair<double, double>>& x_and_y) {
  FTLAB_CHECK(!x_and_y.empty(), "the shape of a sweep without points");
  SweepShape shape;
  for (const auto& [x, y] : x_and_y) shape.plateau = std::max(shape.plateau, y);
  const double wanted = kPlateauShare * shape.plateau;
  const auto reached =
      std::find_if(x_and_y.begin(), x_and_y.end(), [wanted](const auto& point) { return point.second >= wanted; });
  shape.knee = reached->first;
  if (reached != x_and_y.begin()) {
    const auto& [x0, y0] = *(reached - 1);
    shape.knee = x0 + (wanted - y0) / (reached->second - y0) * (reached->first - x0);
  }
  if (x_and_y.front().second > 0) shape.end_ratio = x_and_y.back().second / x_and_y.front().second;
  return shape;
}

}  // namespace ftlab
