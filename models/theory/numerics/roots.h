// One equation in one unknown. Every formula here is monotone in its unknown, so a bracket is known.
#pragma once

#include <cmath>

namespace ftlab {

// Root of f between low and high, to the last bits. If rounding leaves no change of sign (the root is an end of the
// bracket), the end where |f| is smaller. Ridders' method (IEEE Trans. Circuits and Systems 26, 1979): as safe as bisection,
// two evaluations of f per step, twice the digits with each step near the root.
template <class Function>
double root_between(double low, double high, const Function& f) {
  double f_low = f(low), f_high = f(high);
  if (!(f_low * f_high < 0)) return std::abs(f_low) <= std::abs(f_high) ? low : high;
  double last = high;
  for (int step = 0; step < 100; ++step) {
    const double middle = 0.5 * (low + high), f_middle = f(middle);
    const double bend = std::sqrt(f_middle * f_middle - f_low * f_high);
    const double x = bend > 0 ? middle + (middle - low) * (f_low > f_high ? 1 : -1) * f_middle / bend : middle;
    const double f_x = f(x);
    if (f_x == 0 || std::abs(x - last) <= 1e-14 * std::abs(x) || !(bend > 0)) return x;
    last = x;
    if (f_middle * f_x < 0) {
      low = middle, f_low = f_middle, high = x, f_high = f_x;
    } else if (f_low * f_x < 0) {
      high = x, f_high = f_x;
    } else {
      low = x, f_low = f_x;
    }
  }
  return last;
}

// Minimum of a unimodal f between low and high, to 1e-6 of their distance (golden section).
template <class Function>
double minimum_between(double low, double high, const Function& f) {
  const double golden = 0.6180339887498949, enough = 1e-6 * (high - low);
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double f_left = f(left), f_right = f(right);
  while (high - low > enough) {
    if (f_left < f_right) {
      high = right, right = left, f_right = f_left;
      f_left = f(left = high - golden * (high - low));
    } else {
      low = left, left = right, f_left = f_right;
      f_right = f(right = low + golden * (high - low));
    }
  }
  return 0.5 * (low + high);
}

}  // namespace ftlab
