// Binomial distribution: how many of n pages are still valid if each is with probability p.
#pragma once

#include <Eigen/Core>

namespace ftlab {

// P(k) for k = 0..n. Absolute error below 1e-13. Cost: O(n).
Eigen::ArrayXd binomial(int n, double p);

// P(fewer than k). Cost: O(sqrt(n)) terms.
double binomial_below(int n, double p, int k);

}  // namespace ftlab
