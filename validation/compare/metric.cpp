#include "validation/compare/metric.h"

#include <array>
#include <spdlog/fmt/fmt.h>

#include "sim/config/names.h"
#include "sim/config/split.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::array<Quantity, 3> kQuantities = {Quantity::iops, Quantity::bytes_per_s, Quantity::latency_mean_ns};
constexpr std::array<double, 4> kUsualPercents = {50, 95, 99, 99.9};
constexpr std::string_view kPercentile = "latency_ns_p";

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

namespace {

constexpr const char* kOption = "--tolerance";
constexpr std::string_view kAny = "any";
constexpr double kMostPercent = 1e6;
constexpr std::array<const char*, kShapeMeasureCount> kShapeNames = {"fall_time", "fall_depth", "steady_level",
                                                                     "swing",     "knee",       "end_ratio"};

std::optional<double> share_of(const std::string& item, std::string_view text) {
  if (text == kAny) return std::nullopt;
  const auto percent = text.ends_with('%') ? parsed<double>(text.substr(0, text.size() - 1)) : std::nullopt;
  if (!percent || !(*percent >= 0 && *percent <= kMostPercent))
    throw ConfigError({kOption, 0}, item, "is not a percentage", text, "as in 5%, from 0% on; or any");
  return *percent / 100;
}

std::optional<ShapeMeasure> shape_measure_named(std::string_view name) {
  for (std::size_t i = 0; i < kShapeNames.size(); ++i) {
    if (name == kShapeNames[i]) return static_cast<ShapeMeasure>(i);
  }
  return std::nullopt;
}

[[noreturn]] void refuse_statistic(const std::string& item, const std::string& name) {
  std::vector<std::string> names = {"median", "p95"};
  names.insert(names.end(), kShapeNames.begin(), kShapeNames.end());
  refuse_name({kOption, 0}, item, "is neither a statistic nor a measure of shape", name, names);
}

}  // namespace

const char* name_of(ShapeMeasure measure) { return kShapeNames[static_cast<std::size_t>(measure)]; }

Tolerances::Tolerances(const std::vector<std::string>& lists) : asked_for_(!lists.empty()) {
  for (const std::string& list : lists) {
    for (const std::string_view item : split(list, ',')) take(std::string(item));
  }
}

Tolerances::Wish& Tolerances::wish_of(const std::string& what) {
  if (what.empty()) return all_;
  return what == "series" ? series_ : metrics_[metric_named(what, kOption)];
}

void Tolerances::take(const std::string& item) {
  const std::size_t equals = item.find('=');
  if (equals == item.npos)
    throw ConfigError({kOption, 0}, "", "says no limit", item, "as in median=5%, iops:p95=10%, series:p95=any, knee=20%");
  const std::optional<double> limit = share_of(item, std::string_view(item).substr(equals + 1));
  const std::size_t colon = item.find(':');
  const bool scoped = colon != item.npos && colon < equals;
  const std::string name = item.substr(scoped ? colon + 1 : 0, equals - (scoped ? colon + 1 : 0));
  const auto measure = scoped ? std::nullopt : shape_measure_named(name);
  if (measure) {
    shapes_.erase(*measure);
    if (limit) shapes_[*measure] = *limit;
    return;
  }
  if (name != "median" && name != "p95") refuse_statistic(item, name);
  Wish& choice = wish_of(scoped ? item.substr(0, colon) : "");
  (name == "median" ? choice.median : choice.p95) = limit;
}

ErrorLimits Tolerances::overridden_by(const ErrorLimits& under, const Wish& choice) {
  return {choice.median ? *choice.median : under.median, choice.p95 ? *choice.p95 : under.p95};
}

ErrorLimits Tolerances::of(const Metric& metric, bool asked_for) const {
  const bool judged = !metric.is_percentile() || asked_for;
  const ErrorLimits limits = judged ? overridden_by({kMedian, kP95}, all_) : ErrorLimits{};
  const auto named = metrics_.find(metric);
  return named == metrics_.end() ? limits : overridden_by(limits, named->second);
}

ErrorLimits Tolerances::of_series() const { return overridden_by(overridden_by({kMedian, kP95}, all_), series_); }

std::optional<double> Tolerances::of(ShapeMeasure measure) const {
  const auto found = shapes_.find(measure);
  return found == shapes_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ftlab
