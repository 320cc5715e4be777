// Relative errors and their summary.
#pragma once

#include <vector>

namespace ftlab {

// a / b - 1: relative error of `a` against the reference `b`. 0 if both are 0; infinite if only `b` is 0.
double relative_error(double a, double b);

// Quantile with linear interpolation (Hyndman and Fan's type 7, the default of NumPy and R). Infinite values are allowed.
// REQUIRES: not empty, 0 <= share <= 1. Sorts a copy.
double quantile(std::vector<double> values, double share);

struct ErrorSummary {
  std::size_t count = 0;
  double median = 0;      // median absolute value
  double p95 = 0;         // 95th percentile of the absolute values
  double mean = 0;        // signed: the bias
  std::size_t worst = 0;  // index of the largest absolute value; the first one of equals
};

// REQUIRES: not empty.
ErrorSummary summarize(const std::vector<double>& errors);

}  // namespace ftlab
