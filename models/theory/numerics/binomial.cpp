#include "models/theory/numerics/binomial.h"

#include <algorithm>
#include <cmath>

namespace ftlab {

namespace {

// Probability of k of n. REQUIRES: 0 < p < 1.
double probability(int n, double p, int k) {
  const double choose = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
  return std::exp(choose + k * std::log(p) + (n - k) * std::log1p(-p));
}

// Sum of P(j) for j <= k, whose terms fall with j. REQUIRES: k < n p or so, 0 < p < 1.
double lower_tail(int n, double p, int k) {
  double term = probability(n, p, k), sum = 0;
  for (; k >= 0 && term > 1e-17 * sum; --k) {
    sum += term;
    term *= k * (1 - p) / ((n - k + 1) * p);
  }
  return sum;
}

}  // namespace

Eigen::ArrayXd binomial(int n, double p) {
  Eigen::ArrayXd law = Eigen::ArrayXd::Zero(n + 1);
  if (p <= 0 || p >= 1) {
    law(p <= 0 ? 0 : n) = 1;
    return law;
  }
  // From the most likely number outwards, so that only negligible terms underflow.
  const int mode = std::min(n, static_cast<int>((n + 1) * p));
  law(mode) = 1;
  for (int k = mode; k < n; ++k) law(k + 1) = law(k) * (n - k) * p / ((k + 1) * (1 - p));
  for (int k = mode; k > 0; --k) law(k - 1) = law(k) * k * (1 - p) / ((n - k + 1) * p);
  return law / law.sum();
}

double binomial_below(int n, double p, int k) {
  if (k <= 0 || p >= 1) return k > n ? 1 : 0;
  if (k > n || p <= 0) return 1;
  // Sums the shorter tail; "k or more valid" is "n - k or fewer invalid".
  return k - 1 < n * p ? lower_tail(n, p, k - 1) : 1 - lower_tail(n, 1 - p, n - k);
}

}  // namespace ftlab
