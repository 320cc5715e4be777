#include "models/theory/numerics/least_squares.h"

#include <cmath>

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using Eigen::VectorXd;

namespace {

VectorXd vector(std::initializer_list<double> values) {
  VectorXd v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

template <class F>
LeastSquaresProblem problem(VectorXd start, VectorXd low, VectorXd high, F residuals) {
  LeastSquaresProblem p{start, low, high, VectorXd::Constant(start.size(), 1e-5), {}};
  p.residuals = [residuals](const std::vector<VectorXd>& places) {
    std::vector<VectorXd> all;
    for (const VectorXd& x : places) all.push_back(residuals(x));
    return all;
  };
  return p;
}

VectorXd rosenbrock(const VectorXd& x) { return vector({10 * (x[1] - x[0] * x[0]), 1 - x[0]}); }

constexpr LeastSquaresOptions kExact{500, 1e-14, 1e-9};

}  // namespace

TEST_CASE("a fit follows a curved valley to its minimum") {
  const auto fit = fit_least_squares(problem(vector({-1.2, 1}), vector({-10, -10}), vector({10, 10}), rosenbrock), kExact);
  CHECK(fit.converged);
  CHECK(fit.x[0] == Approx(1).epsilon(1e-5));
  CHECK(fit.x[1] == Approx(1).epsilon(1e-5));
  CHECK_FALSE(fit.at_bound[0]);
}

TEST_CASE("a minimum beyond a bound is found on the bound, with the other variables optimal there") {
  // With x0 <= 0.5 the best is x1 = x0^2 = 0.25.
  const auto fit = fit_least_squares(problem(vector({-1.2, 1}), vector({-10, -10}), vector({0.5, 10}), rosenbrock), kExact);
  CHECK(fit.x[0] == 0.5);
  CHECK(fit.x[1] == Approx(0.25).epsilon(1e-4));
  CHECK(fit.at_bound[0]);
  CHECK_FALSE(fit.at_bound[1]);
}

TEST_CASE("a fit that starts at a bound leaves it") {
  const auto fit = fit_least_squares(problem(vector({0, 0}), vector({0, 0}), vector({3, 3}), rosenbrock), kExact);
  CHECK(fit.x[0] == Approx(1).epsilon(1e-5));
  CHECK(fit.x[1] == Approx(1).epsilon(1e-5));
}

TEST_CASE("residuals are never evaluated outside of the bounds") {
  bool outside = false;
  auto p = problem(vector({0.2, 0.9}), vector({0, 0}), vector({0.3, 1}), [&](const VectorXd& x) {
    outside = outside || x[0] < 0 || x[0] > 0.3 || x[1] < 0 || x[1] > 1;
    return rosenbrock(x);
  });
  p.step.setConstant(0.25);
  fit_least_squares(p);
  CHECK_FALSE(outside);
}

TEST_CASE("the stated deviation matches the distance of fits of noisy data from the truth") {
  constexpr int kTrials = 300, kRows = 40;
  RandomStream random(1, "least squares test");
  const auto uniform = [&] { return static_cast<double>(random.bits() >> 11) * 0x1p-53; };
  int within_one = 0, within_two = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    VectorXd noise(kRows);
    for (double& n : noise) n = (uniform() + uniform() + uniform() + uniform() - 2) * std::sqrt(3.0) * 0.1;  // sd 0.1
    const auto p = problem(vector({0.5, 0.5}), vector({-5, -5}), vector({5, 5}), [&](const VectorXd& x) {
      VectorXd r(kRows);
      for (int i = 0; i < kRows; ++i) r[i] = x[0] * std::exp(-x[1] * i / 10.0) - 2 * std::exp(-0.7 * i / 10.0) - noise[i];
      return r;
    });
    const auto fit = fit_least_squares(p, kExact);
    const double variance = fit.residuals.squaredNorm() / (kRows - 2);
    const FitUncertainty u = uncertainty_of(information_of(fit.jacobian, fit.jacobian), variance);
    const double off = std::abs(fit.x[0] - 2) / u.deviation[0];
    within_one += off < 1;
    within_two += off < 2;
  }
  CHECK(within_one > kTrials * 60 / 100);  // expected 68 %
  CHECK(within_one < kTrials * 76 / 100);
  CHECK(within_two > kTrials * 92 / 100);  // expected 95 %
}

TEST_CASE("variables known only by their sum have an infinite deviation, an independent variable does not") {
  Eigen::MatrixXd jacobian(3, 3);
  jacobian << 1, 1, 0, 2, 2, 0, 0, 0, 4;
  const FitUncertainty u = uncertainty_of(information_of(jacobian, jacobian), 1);
  CHECK(std::isinf(u.deviation[0]));
  CHECK(std::isinf(u.deviation[1]));
  CHECK(u.deviation[2] == Approx(0.25));
}

TEST_CASE("correlation has the sign of the trade-off between two variables") {
  Eigen::MatrixXd jacobian(3, 2);
  jacobian << 1, 1, 1, 1.2, 1, 0.9;
  const FitUncertainty u = uncertainty_of(information_of(jacobian, jacobian), 1);
  CHECK(u.correlation(0, 1) < -0.9);
  CHECK(u.correlation(0, 1) == u.correlation(1, 0));
}

TEST_CASE("independent noise in two Jacobians gives no false information") {
  // The second variable has no effect; only noise suggests one.
  constexpr int kRows = 400;
  RandomStream random(3, "noise of Jacobians");
  const auto noise = [&] { return static_cast<double>(random.bits() >> 11) * 0x1p-53 - 0.5; };
  Eigen::MatrixXd a(kRows, 2), b(kRows, 2);
  for (int i = 0; i < kRows; ++i) {
    a(i, 0) = b(i, 0) = 1;
    a(i, 1) = noise();
    b(i, 1) = noise();
  }
  CHECK(uncertainty_of(information_of(a, a) + Eigen::MatrixXd::Identity(2, 2), 1).deviation[1] < 0.2);
  CHECK(uncertainty_of(information_of(a, b) + Eigen::MatrixXd::Identity(2, 2), 1).deviation[1] > 0.4);
  CHECK(uncertainty_of(information_of(a, b), 1).deviation[0] == Approx(0.05).epsilon(0.1));
}
