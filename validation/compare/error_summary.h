// Relative errors, one by one and summed up.
#pragma once

#include <vector>

namespace ftlab {

// a / b - 1: how far `a` lies from the reference `b`. 0 when both are 0; infinite when only `b` is.
double relative_error(double a, double b);

// `share` of the values lie below it, linear between the values beside it (Hyndman and Fan's type 7, the default of NumPy
// and R). Infinite values are allowed. REQUIRES: not empty, 0 <= share <= 1. Sorts a copy.
double quantile(std::vector<double> values, double share);

struct ErrorSummary {
  std::size_t count = 0;
  double median = 0;      // of the absolute values
  double p95 = 0;         // of the same
  double mean = 0;        // signed: the bias
  std::size_t worst = 0;  // position of the largest absolute value, the first of equals
};

// REQUIRES: not empty.
ErrorSummary summed_up(const std::vector<double>& errors);

}  // namespace ftlab
