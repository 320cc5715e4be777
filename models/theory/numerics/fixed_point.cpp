#include "models/theory/numerics/fixed_point.h"

#include <Eigen/QR>
#include <algorithm>

namespace ftlab {

namespace {

constexpr Eigen::Index kMemory = 8;  // earlier steps used by the extrapolation

// The last differences of g(x) and of the residual g(x) - x, as columns in a ring.
struct History {
  Eigen::MatrixXd value_steps, residual_steps;
  Eigen::Index count = 0;

  explicit History(Eigen::Index size) : value_steps(size, kMemory), residual_steps(size, kMemory) {}

  void add(const Eigen::VectorXd& value_step, const Eigen::VectorXd& residual_step) {
    value_steps.col(count % kMemory) = value_step;
    residual_steps.col(count % kMemory) = residual_step;
    ++count;
  }

  // g(x) minus the combination of earlier steps whose residuals best explain the present one.
  Eigen::VectorXd extrapolate(const Eigen::VectorXd& value, const Eigen::VectorXd& residual) const {
    const Eigen::Index columns = std::min(count, kMemory);
    if (columns == 0) return value;
    const Eigen::VectorXd weights = residual_steps.leftCols(columns).colPivHouseholderQr().solve(residual);
    return value - value_steps.leftCols(columns) * weights;
  }
};

}  // namespace

std::optional<Eigen::VectorXd> fixed_point(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& g,
                                           const std::function<void(Eigen::VectorXd&)>& admissible, Eigen::VectorXd x,
                                           const FixedPointLimits& limits) {
  History history(x.size());
  Eigen::VectorXd value = g(x), residual = value - x;
  for (int step = 0; step < limits.steps; ++step) {
    if (!residual.allFinite()) return std::nullopt;
    if (residual.lpNorm<1>() < limits.enough) return value;
    x = history.extrapolate(value, residual);
    admissible(x);
    Eigen::VectorXd next = g(x), next_residual = next - x;
    // Far from the solution extrapolation may overshoot: then drop the history and continue with plain steps.
    if (next_residual.lpNorm<1>() > 4 * residual.lpNorm<1>()) {
      history.count = 0;
    } else {
      history.add(next - value, next_residual - residual);
    }
    value.swap(next);
    residual.swap(next_residual);
  }
  if (residual.lpNorm<1>() < limits.acceptable) return value;
  return std::nullopt;
}

}  // namespace ftlab
