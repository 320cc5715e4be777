#include "validation/calibrate/selection.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/core/check.h"
#include "sim/core/exact_math.h"

namespace ftlab {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Index = Eigen::Index;

double log_det(const MatrixXd& information) {
  const VectorXd diagonal = Eigen::LLT<MatrixXd>(information).matrixLLT().diagonal();
  double sum = 0;
  for (Index i = 0; i < diagonal.size(); ++i) sum += 2 * exact_log(diagonal[i]);
  return sum;
}

VectorXd deviations(const MatrixXd& information) {
  const MatrixXd unit = MatrixXd::Identity(information.rows(), information.cols());
  return Eigen::LLT<MatrixXd>(information).solve(unit).diagonal().cwiseSqrt();
}

}  // namespace

std::vector<SelectedPoint> select_points(const std::vector<MatrixXd>& sensitivities, std::size_t count) {
  if (sensitivities.empty()) return {};
  const Index keys = sensitivities.front().cols();
  MatrixXd information = MatrixXd::Identity(keys, keys);
  std::vector<bool> taken(sensitivities.size(), false);
  std::vector<SelectedPoint> selected;
  while (selected.size() < std::min(count, sensitivities.size())) {
    const double before = log_det(information);
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t c = 0; c < sensitivities.size(); ++c) {
      if (taken[c]) continue;
      const double gain = log_det(information + sensitivities[c].transpose() * sensitivities[c]) - before;
      if (best && gain <= most) continue;
      best = c;
      most = gain;
    }
    SelectedPoint point{*best, most, deviations(information), {}};
    information += sensitivities[*best].transpose() * sensitivities[*best];
    point.after = deviations(information);
    taken[*best] = true;
    selected.push_back(std::move(point));
  }
  return selected;
}

VectorXd deviations_after(const std::vector<MatrixXd>& sensitivities) {
  FTLAB_CHECK(!sensitivities.empty(), "one measurement or more");
  const Index keys = sensitivities.front().cols();
  MatrixXd information = MatrixXd::Identity(keys, keys);
  for (const MatrixXd& own : sensitivities) information += own.transpose() * own;
  return deviations(information);
}

MatrixXd agreed(const std::vector<MatrixXd>& estimates) {
  FTLAB_CHECK(!estimates.empty(), "one estimate or more");
  MatrixXd all = estimates.front();
  for (const MatrixXd& other : estimates) {
    for (Index i = 0; i < all.size(); ++i) {
      const double a = all.data()[i], b = other.data()[i];
      all.data()[i] = a * b <= 0 ? 0 : std::copysign(std::min(std::abs(a), std::abs(b)), a);
    }
  }
  return all;
}

}  // namespace ftlab
