// The compared property of a point: a rate, the mean latency, or a latency percentile.
#pragma once

#include <map>
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

// Limits within which two measurements count as equal.

// Limits of absolute relative errors; absent ones are not judged.
struct ErrorLimits {
  std::optional<double> median, p95;
};

// Measures of shape, see shape.h. The limit of swing, which is already relative, applies to the difference, all others to
// the relative error.
enum class ShapeMeasure : std::uint8_t { fall_time, fall_depth, steady_level, swing, knee, end_ratio };
inline constexpr std::size_t kShapeMeasureCount = 6;
const char* name_of(ShapeMeasure measure);

class Tolerances {
 public:
  // Defaults for rates and mean latencies, of points and of rates over time. Latency percentiles and measures of shape are
  // judged only if named.
  static constexpr double kMedian = 0.05;
  static constexpr double kP95 = 0.15;

  Tolerances() = default;
  // Comma-separated lists of [WHAT:]median=PERCENT, [WHAT:]p95=PERCENT and MEASURE=PERCENT. WHAT is a quantity or `series`
  // (rates over time). The percentage `any` removes a limit. Later entries override earlier ones. Throws ConfigError.
  explicit Tolerances(const std::vector<std::string>& lists);
  // True if the user gave a tolerance; otherwise all limits are the defaults.
  bool asked_for() const { return asked_for_; }

  // `asked_for`: the user named the metric, so it is judged even if it is a percentile.
  ErrorLimits of(const Metric& metric, bool asked_for) const;
  ErrorLimits of_series() const;
  std::optional<double> of(ShapeMeasure measure) const;

 private:
  // Unset: the limit of `all_` applies. Set to nullopt: any error is allowed.
  struct Wish {
    std::optional<std::optional<double>> median, p95;
  };
  void take(const std::string& item);
  Wish& wish_of(const std::string& what);
  static ErrorLimits overridden_by(const ErrorLimits& under, const Wish& choice);

  bool asked_for_ = false;
  Wish all_;
  Wish series_;
  std::map<Metric, Wish> metrics_;
  std::map<ShapeMeasure, double> shapes_;
};

}  // namespace ftlab
