// Non-linear least squares with bounds: where is the sum of squared residuals smallest, and how well do the residuals tell?
//
// Levenberg-Marquardt as in Madsen, Nielsen, Tingleff, "Methods for Non-Linear Least Squares Problems" (2004), with
// Nielsen's rule for the damping, and the step projected to the bounds as in Kanzow, Yamashita, Fukushima (J. Comp. Appl.
// Math. 172, 2004): a variable at a bound that the gradient pushes against is held there for the round. Eigen's own
// implementation (unsupported/NonLinearOptimization, a port of MINPACK) knows no bounds, stops by rules that noise defeats
// and asks for one derivative after the other; here all that a round needs is asked for at once, so that the caller can work
// it out in parallel.
//
// Variables should be scaled so that 1 is a large change of each: their prior's standard deviation.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace ftlab {

struct LeastSquaresProblem {
  Eigen::VectorXd start, low, high;  // REQUIRES: low <= start <= high, low < high
  Eigen::VectorXd step;              // of differences; large enough that noise and rounding do not matter. REQUIRES: > 0
  // The residuals at each of some places. REQUIRES: all are of one length, and finite.
  std::function<std::vector<Eigen::VectorXd>(const std::vector<Eigen::VectorXd>&)> residuals;
};

struct LeastSquaresOptions {
  std::uint32_t most_rounds = 40;
  double least_gain = 1e-4;  // stop when a round lowers the sum by less than this share of it ...
  double least_step = 1e-3;  // ... or moves no variable by as much
};

struct LeastSquaresFit {
  Eigen::VectorXd x;
  Eigen::VectorXd residuals;  // at x
  Eigen::MatrixXd jacobian;   // at x, by differences to both sides as far as the bounds leave room
  std::vector<bool> at_bound;
  std::uint32_t rounds = 0;
  std::uint32_t evaluations = 0;  // places
  bool converged = false;
};

LeastSquaresFit fit_least_squares(const LeastSquaresProblem& problem, const LeastSquaresOptions& options = {});

// Derivatives of the residuals at x, as those of a fit.
Eigen::MatrixXd jacobian_at(const LeastSquaresProblem& problem, const Eigen::VectorXd& x);

// What two Jacobians J and K of the same residuals tell of the variables, J'K made symmetric. When each was found by
// differences of noisy residuals, and their noise is independent, this is J'J without the part that noise feigns: of a
// variable that nothing is known of, J'J alone would claim to know something. What noise leaves below 0 is 0.
Eigen::MatrixXd information_of(const Eigen::MatrixXd& jacobian, const Eigen::MatrixXd& other);

// The covariance is variance * information^-1, as far as the residuals are linear around the fit. A direction that they tell
// nothing of has an infinite deviation.
struct FitUncertainty {
  Eigen::VectorXd deviation;    // of each variable
  Eigen::MatrixXd correlation;  // of the variables
};

// REQUIRES: information is symmetric and has no negative eigenvalues, rounding aside.
FitUncertainty uncertainty_of(const Eigen::MatrixXd& information, double variance);

}  // namespace ftlab
