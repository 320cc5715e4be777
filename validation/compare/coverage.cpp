#include "validation/compare/coverage.h"

#include <algorithm>
#include <array>

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

}  // namespace ftlab
