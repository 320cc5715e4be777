#include "models/theory/numerics/least_squares.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

#include "sim/core/check.h"

namespace ftlab {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Index = Eigen::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Initial damping, as a share of the largest diagonal element of J'J; Nielsen's tau for a start that may be far off.
constexpr double kFirstDamping = 1e-2;
constexpr std::uint32_t kMostRefusals = 12;  // failed steps in a row: then no better point is near

void check(const LeastSquaresProblem& p) {
  const Index count = p.start.size();
  FTLAB_CHECK(p.low.size() == count && p.high.size() == count && p.step.size() == count, "vectors of different lengths");
  for (Index i = 0; i < count; ++i) {
    FTLAB_CHECK(p.low[i] < p.high[i] && p.low[i] <= p.start[i] && p.start[i] <= p.high[i] && p.step[i] > 0,
                "variable " + std::to_string(i) + " without room, outside of its bounds or without a step");
  }
}

class Search {
 public:
  Search(const LeastSquaresProblem& problem, const LeastSquaresOptions& options) : problem_(problem), options_(options) {
    fit_.x = problem.start;
    fit_.residuals = ask({fit_.x}).front();
  }

  LeastSquaresFit run() {
    differentiate_forward();
    damping_ = kFirstDamping * std::max(fit_.jacobian.colwise().squaredNorm().maxCoeff(), 1e-12);
    while (!fit_.converged && fit_.rounds < options_.most_rounds) {
      ++fit_.rounds;
      if (go_on()) differentiate_forward();
    }
    fit_.jacobian = jacobian_at(problem_, fit_.x);
    fit_.evaluations += static_cast<std::uint32_t>(2 * fit_.x.size());
    fit_.at_bound.resize(static_cast<std::size_t>(fit_.x.size()));
    for (Index i = 0; i < fit_.x.size(); ++i)
      fit_.at_bound[static_cast<std::size_t>(i)] = fit_.x[i] <= problem_.low[i] || fit_.x[i] >= problem_.high[i];
    return std::move(fit_);
  }

 private:
  std::vector<VectorXd> ask(const std::vector<VectorXd>& places) {
    fit_.evaluations += static_cast<std::uint32_t>(places.size());
    return problem_.residuals(places);
  }

  double room_above(Index i) const { return problem_.high[i] - fit_.x[i]; }
  double room_below(Index i) const { return fit_.x[i] - problem_.low[i]; }

  // Step towards the side that has room.
  double signed_step(Index i) const {
    if (room_above(i) >= problem_.step[i]) return problem_.step[i];
    return room_above(i) >= room_below(i) ? room_above(i) : -std::min(problem_.step[i], room_below(i));
  }

  void differentiate_forward() {
    std::vector<VectorXd> places;
    for (Index i = 0; i < fit_.x.size(); ++i) {
      places.push_back(fit_.x);
      places.back()[i] += signed_step(i);
    }
    const std::vector<VectorXd> there = ask(places);
    fit_.jacobian.resize(fit_.residuals.size(), fit_.x.size());
    for (Index i = 0; i < fit_.x.size(); ++i)
      fit_.jacobian.col(i) = (there[static_cast<std::size_t>(i)] - fit_.residuals) / signed_step(i);
  }

  // Variables that may move in this round: all except those that the gradient pushes against a bound.
  std::vector<Index> free_variables(const VectorXd& gradient) const {
    std::vector<Index> free;
    for (Index i = 0; i < fit_.x.size(); ++i) {
      const bool held = (room_below(i) <= 0 && gradient[i] > 0) || (room_above(i) <= 0 && gradient[i] < 0);
      if (!held) free.push_back(i);
    }
    return free;
  }

  // One damped step. True if it was taken.
  bool go_on() {
    const VectorXd gradient = fit_.jacobian.transpose() * fit_.residuals;
    const std::vector<Index> free = free_variables(gradient);
    if (free.empty()) {
      fit_.converged = true;
      return false;
    }
    const VectorXd target = projected_step(free, gradient);
    const VectorXd step = target - fit_.x;
    const VectorXd there = ask({target}).front();
    const double before = fit_.residuals.squaredNorm(), after = there.squaredNorm();
    const double expected = before - (fit_.residuals + fit_.jacobian * step).squaredNorm();
    const bool small = step.cwiseAbs().maxCoeff() < options_.least_step;
    if (after < before && expected > 0) {
      accept(target, there, (before - after) / expected);
      fit_.converged = small || before - after < options_.least_gain * before;
      return true;
    }
    damping_ *= growth_;
    growth_ *= 2;
    fit_.converged = small || ++refusals_ >= kMostRefusals;
    return false;
  }

  VectorXd projected_step(const std::vector<Index>& free, const VectorXd& gradient) const {
    const auto count = static_cast<Index>(free.size());
    MatrixXd normal(count, count);
    VectorXd down(count);
    for (Index a = 0; a < count; ++a) {
      const Index i = free[static_cast<std::size_t>(a)];
      down[a] = -gradient[i];
      for (Index b = 0; b < count; ++b)
        normal(a, b) = fit_.jacobian.col(i).dot(fit_.jacobian.col(free[static_cast<std::size_t>(b)]));
      normal(a, a) += damping_;
    }
    const VectorXd moves = normal.ldlt().solve(down);
    VectorXd target = fit_.x;
    for (Index a = 0; a < count; ++a) target[free[static_cast<std::size_t>(a)]] += moves[a];
    return target.cwiseMax(problem_.low).cwiseMin(problem_.high);
  }

  // Nielsen's rule: the better the linear model predicted the gain, the lower the damping.
  void accept(const VectorXd& target, const VectorXd& there, double gain_ratio) {
    fit_.x = target;
    fit_.residuals = there;
    const double off = 2 * gain_ratio - 1;
    damping_ *= std::max(1.0 / 3, 1 - off * off * off);
    growth_ = 2;
    refusals_ = 0;
  }

  const LeastSquaresProblem& problem_;
  const LeastSquaresOptions& options_;
  LeastSquaresFit fit_;
  double damping_ = 0;
  double growth_ = 2;
  std::uint32_t refusals_ = 0;
};

}  // namespace

LeastSquaresFit fit_least_squares(const LeastSquaresProblem& problem, const LeastSquaresOptions& options) {
  check(problem);
  return Search(problem, options).run();
}

MatrixXd jacobian_at(const LeastSquaresProblem& problem, const VectorXd& x) {
  std::vector<VectorXd> places;
  for (Index i = 0; i < x.size(); ++i) {
    for (const double to :
         {std::min(x[i] + problem.step[i], problem.high[i]), std::max(x[i] - problem.step[i], problem.low[i])}) {
      places.push_back(x);
      places.back()[i] = to;
    }
  }
  const std::vector<VectorXd> there = problem.residuals(places);
  MatrixXd jacobian(there.empty() ? 0 : there.front().size(), x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const auto above = static_cast<std::size_t>(2 * i);
    jacobian.col(i) = (there[above] - there[above + 1]) / (places[above][i] - places[above + 1][i]);
  }
  return jacobian;
}

MatrixXd information_of(const MatrixXd& jacobian, const MatrixXd& other) {
  FTLAB_CHECK(jacobian.rows() == other.rows() && jacobian.cols() == other.cols(), "Jacobians of different sizes");
  const MatrixXd product = jacobian.transpose() * other;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> parts((product + product.transpose()) / 2);
  const VectorXd known = parts.eigenvalues().cwiseMax(0);
  return parts.eigenvectors() * known.asDiagonal() * parts.eigenvectors().transpose();
}

FitUncertainty uncertainty_of(const MatrixXd& information, double variance) {
  const Index count = information.rows();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(information);
  const double least = count == 0 ? 0 : parts.eigenvalues().cwiseAbs().maxCoeff() * 1e-12;
  MatrixXd covariance = MatrixXd::Zero(count, count);
  std::vector<bool> unknown(static_cast<std::size_t>(count), false);
  for (Index k = 0; k < count; ++k) {
    const VectorXd direction = parts.eigenvectors().col(k);
    const double known = parts.eigenvalues()[k];
    if (known > least) covariance += direction * direction.transpose() * (variance / known);
    for (Index i = 0; i < count && known <= least; ++i)
      unknown[static_cast<std::size_t>(i)] = unknown[static_cast<std::size_t>(i)] || direction[i] * direction[i] > 1e-12;
  }
  FitUncertainty result{VectorXd(count), MatrixXd::Identity(count, count)};
  for (Index i = 0; i < count; ++i) {
    result.deviation[i] = unknown[static_cast<std::size_t>(i)] ? kInfinity : std::sqrt(covariance(i, i));
    for (Index j = 0; j < i; ++j) {
      const double both = std::sqrt(covariance(i, i) * covariance(j, j));
      result.correlation(i, j) = result.correlation(j, i) = both > 0 ? covariance(i, j) / both : 0;
    }
  }
  return result;
}

}  // namespace ftlab
