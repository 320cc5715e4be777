// The compared property of a point: a rate, the mean latency, or a latency percentile.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

struct Metric {
  Quantity quantity = Quantity::iops;
  double percent = 0;  // latency percentiles only; 0: not a percentile

  bool is_percentile() const { return percent > 0; }
  bool is_rate() const { return quantity != Quantity::latency_mean_ns; }
  auto operator<=>(const Metric&) const = default;
};

// "iops", "bytes_per_s", "latency_mean_ns", "latency_ns_p99.9".
std::string name_of(const Metric& metric);

// Inverse of name_of(). Throws ConfigError naming `option` and the nearest name.
Metric metric_named(std::string_view name, const std::string& option);

std::optional<double> value_of(const Point& point, const Metric& metric);

// The default metrics: rates, mean latency and the percentiles 50, 95, 99 and 99.9.
std::vector<Metric> usual_metrics();

}  // namespace ftlab
