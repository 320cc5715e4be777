// Non-linear least squares with bounds: minimises the sum of squared residuals and estimates the uncertainty.
//
// Levenberg-Marquardt as in Madsen, Nielsen, Tingleff, "Methods for Non-Linear Least Squares Problems" (2004), with
// Nielsen's rule for the damping, and the step projected to the bounds as in Kanzow, Yamashita, Fukushima (J. Comp. Appl.
// Math. 172, 2004): a variable at a bound that the gradient pushes against is held there for the round. Eigen's own
// implementation (unsupported/NonLinearOptimization, a port of MINPACK) has no bounds, its stopping rules fail with noise,
// and it evaluates one derivative at a time. Here all evaluations of a round are requested at once, so that the caller can
// run them in parallel.
//
// Variables should be scaled so that 1 is a large change of each: their prior's standard deviation.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace ftlab {

struct LeastSquaresProblem {
  Eigen::VectorXd start, low, high;  // REQUIRES: low <= start <= high, low < high
  Eigen::VectorXd step;              // for differences; large enough that noise and rounding do not matter. REQUIRES: > 0
  // Residuals at each of several points. REQUIRES: all of one length, and finite.
  std::function<std::vector<Eigen::VectorXd>(const std::vector<Eigen::VectorXd>&)> residuals;
};

struct LeastSquaresOptions {
  std::uint32_t most_rounds = 40;
  double least_gain = 1e-4;  // stop if a round lowers the sum by less than this share of it
  double least_step = 1e-3;  // stop if a round moves no variable by this much
};

struct LeastSquaresFit {
  Eigen::VectorXd x;
  Eigen::VectorXd residuals;  // at x
  Eigen::MatrixXd jacobian;   // at x, by two-sided differences as far as the bounds leave room
  std::vector<bool> at_bound;
  std::uint32_t rounds = 0;
  std::uint32_t evaluations = 0;  // points evaluated
  bool converged = false;
};

LeastSquaresFit fit_least_squares(const LeastSquaresProblem& problem, const LeastSquaresOptions& options = {});

// Derivatives of the residuals at x, like those of a fit.
Eigen::MatrixXd jacobian_at(const LeastSquaresProblem& problem, const Eigen::VectorXd& x);

// Information about the variables from two Jacobians J and K of the same residuals: J'K made symmetric. If both come from
// differences of noisy residuals with independent noise, this is J'J without the part due to noise: for a variable without
// effect, J'J alone would claim some information. Negative values left by noise are set to 0.
Eigen::MatrixXd information_of(const Eigen::MatrixXd& jacobian, const Eigen::MatrixXd& other);

// The covariance is variance * information^-1, as far as the residuals are linear around the fit. A direction without
// information has an infinite deviation.
struct FitUncertainty {
  Eigen::VectorXd deviation;    // by variable
  Eigen::MatrixXd correlation;  // between variables
};

// REQUIRES: information is symmetric without negative eigenvalues, except for rounding.
FitUncertainty uncertainty_of(const Eigen::MatrixXd& information, double variance);

}  // namespace ftlab
