// How far apart two measurements may lie and still count as equal.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validation/compare/metric.h"

namespace ftlab {

// Of the absolute relative errors; what is absent is not judged.
struct ErrorLimits {
  std::optional<double> median, p95;
};

// Measures of shape, see shape.h. Swings are shares of a mean already: their difference is judged, of all others the
// relative error.
enum class ShapeMeasure : std::uint8_t { fall_time, fall_depth, steady_level, swing, knee, end_ratio };
inline constexpr std::size_t kShapeMeasureCount = 6;
const char* name_of(ShapeMeasure measure);

class Tolerances {
 public:
  // Of rates and mean latencies, of points and of rates over time. Percentiles of latency and measures of shape are judged
  // only when they are named.
  static constexpr double kMedian = 0.05;
  static constexpr double kP95 = 0.15;

  Tolerances() = default;
  // Lists of [WHAT:]median=PERCENT, [WHAT:]p95=PERCENT and MEASURE=PERCENT, with commas between; WHAT is a quantity or
  // `series` (rates over time); `any` as the percentage takes a limit away. Later ones hold. Throws ConfigError.
  explicit Tolerances(const std::vector<std::string>& lists);
  // The user said something; otherwise all limits are the usual ones.
  bool asked_for() const { return asked_for_; }

  // `asked_for`: the user named the aspect, so it is judged, be it a percentile.
  ErrorLimits of(const Metric& metric, bool asked_for) const;
  ErrorLimits of_series() const;
  std::optional<double> of(ShapeMeasure measure) const;

 private:
  // Unset: the limit of all holds. Set to nothing: any error is allowed.
  struct Wish {
    std::optional<std::optional<double>> median, p95;
  };
  void take(const std::string& item);
  Wish& wish_of(const std::string& what);
  static ErrorLimits laid_over(const ErrorLimits& under, const Wish& choice);

  bool asked_for_ = false;
  Wish all_;
  Wish series_;
  std::map<Metric, Wish> metrics_;
  std::map<ShapeMeasure, double> shapes_;
};

}  // namespace ftlab
