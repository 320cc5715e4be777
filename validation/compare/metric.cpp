#include "validation/compare/metric.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <spdlog/fmt/fmt.h>

#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::array<Quantity, 3> kQuantities = {Quantity::iops, Quantity::bytes_per_s, Quantity::latency_mean_ns};
constexpr std::array<double, 4> kUsualPercents = {50, 95, 99, 99.9};
constexpr std::string_view kPercentile = "latency_ns_p";

std::optional<double> percent_in(std::string_view digits) {
  double percent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), percent, std::chars_format::fixed);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && percent > 0 && percent <= 100 ? std::optional(percent) : std::nullopt;
}

}  // namespace

std::string name_of(const Metric& metric) {
  return metric.is_percentile() ? fmt::format("{}{:g}", kPercentile, metric.percent) : name_of(metric.quantity);
}

Metric metric_named(std::string_view name, const std::string& option) {
  for (const Quantity quantity : kQuantities) {
    if (name == name_of(quantity)) return {quantity, 0};
  }
  if (name.starts_with(kPercentile)) {
    if (const auto percent = percent_in(name.substr(kPercentile.size()))) return {Quantity::latency_mean_ns, *percent};
  }
  std::vector<std::string> names;
  for (const Metric& metric : usual_metrics()) names.push_back(name_of(metric));
  throw ConfigError({option, 0}, "", "is not a quantity", name, fmt::format("{} (any percentile)", fmt::join(names, ", ")),
                    nearest_name(name, names));
}

std::optional<double> value_of(const Point& point, const Metric& metric) {
  if (metric.is_percentile()) return point.percentile_ns(metric.percent);
  if (metric.quantity == Quantity::iops) return point.iops;
  return metric.quantity == Quantity::bytes_per_s ? point.bytes_per_s : point.latency_mean_ns;
}

std::vector<Metric> usual_metrics() {
  std::vector<Metric> metrics;
  for (const Quantity quantity : kQuantities) metrics.push_back({quantity, 0});
  for (const double percent : kUsualPercents) metrics.push_back({Quantity::latency_mean_ns, percent});
  return metrics;
}

}  // namespace ftlab
