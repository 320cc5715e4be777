// Solves x = g(x) for a vector if iterating g converges, but slowly: at a write amplification of 10 each generation of
// blocks inherits nine tenths of its pages from the one before.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>

namespace ftlab {

struct FixedPointLimits {
  double enough = 1e-10;      // done if the sum of |g(x) - x| is below this
  double acceptable = 1e-10;  // good enough at the limit of steps
  int steps = 400;
};

// Empty if the limit of steps is reached far from a solution. Each step costs one g and a least-squares problem in a few
// columns. `admissible` brings an extrapolated x back to where g is defined. (D. G. Anderson, J. ACM 12, 1965; in the form
// of Walker and Ni, SIAM J. Numer. Anal. 49, 2011.)
std::optional<Eigen::VectorXd> fixed_point(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& g,
                                           const std::function<void(Eigen::VectorXd&)>& admissible, Eigen::VectorXd start,
                                           const FixedPointLimits& limits);

}  // namespace ftlab
