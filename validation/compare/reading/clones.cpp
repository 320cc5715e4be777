#include "validation/compare/reading/clones.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace ftlab {
namespace {

using Interval = TimeCurve::Interval;

// The interval that contains `time_s`, or null.
const Interval* interval_at(const TimeCurve& curve, double time_s) {
  const auto found = std::partition_point(curve.intervals.begin(), curve.intervals.end(),
                                          [time_s](const Interval& interval) { return interval.end_s <= time_s; });
  return found != curve.intervals.end() && found->begin_s <= time_s ? &*found : nullptr;
}

// Sorted begin and end times of all intervals.
std::vector<double> borders(const std::vector<const TimeCurve*>& clones) {
  std::vector<double> times;
  for (const TimeCurve* const clone : clones) {
    for (const Interval& interval : clone->intervals) {
      times.push_back(interval.begin_s);
      times.push_back(interval.end_s);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

TimeCurve joined(const std::vector<const TimeCurve*>& clones) {
  TimeCurve curve = *clones.front();
  if (clones.size() == 1) return curve;
  curve.intervals.clear();
  const std::vector<double> times = borders(clones);
  const double share = curve.quantity == Quantity::latency_mean_ns ? 1.0 / static_cast<double>(clones.size()) : 1;
  for (std::size_t i = 1; i < times.size(); ++i) {
    Interval sum{times[i - 1], times[i], 0};
    bool all = true;
    for (const TimeCurve* const clone : clones) {
      const Interval* const part = interval_at(*clone, times[i - 1]);
      all = all && part != nullptr;
      if (all) sum.value += share * part->value;
    }
    if (all) curve.intervals.push_back(sum);
  }
  return curve;
}

}  // namespace

std::vector<TimeCurve> with_clones_joined(std::vector<TimeCurve> curves) {
  std::map<std::tuple<std::string, Quantity, Direction>, std::vector<const TimeCurve*>> groups;
  for (const TimeCurve& curve : curves) groups[{curve.label, curve.quantity, curve.direction}].push_back(&curve);
  std::vector<TimeCurve> result;
  for (const TimeCurve& curve : curves) {
    const auto& clones = groups[{curve.label, curve.quantity, curve.direction}];
    if (clones.front() != &curve) continue;
    TimeCurve one = joined(clones);
    if (!one.intervals.empty()) result.push_back(std::move(one));
  }
  return result;
}

}  // namespace ftlab
