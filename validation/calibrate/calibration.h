// Numbers of drive files fitted to figures that were measured or published. What is made small is the sum of
//   (log(simulated / measured) / tolerance)^2   over all figures that are not held back, and
//   (distance from the base's value / deviation of its prior)^2   over all keys.
//
// How far simulation and measurement scatter around one another is not known beforehand: after the first fit the tolerances
// are stretched or shrunk by what the residuals show, of reads and of writes, and the fit is made again, so that prior and
// data have the weights that they deserve; tolerances that are stated stay (`stretch` false). The figures of one point tell
// much the same: together they count as one. A key of which more than half of its prior's deviation is left is not
// determined: the one that is known least goes back to its value in the base, and the others are fitted once more, until all
// that are left are determined.
//
// A figure that the model does not show at all would bend every key: with `far_off`, a residual r counts as
// far_off^2 log(1 + (r / far_off)^2), as with Cauchy's distribution (Holland, Welsch, "Robust regression using iteratively
// reweighted least-squares", Comm. Statist. A6, 1977).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/target.h"

namespace ftlab {

// Of the prior's deviation: a key whose deviation after the fit is more is not determined.
inline constexpr double kDetermined = 0.5;

struct FittedKey {
  FitKey key;
  std::uint64_t value = 0;
  double deviation = 0;  // one standard deviation, in the key's unit; of a key that is not determined, that of its prior
  double reported = 0;   // deviation after the fit, as a share of the prior's: 0 all is known, 1 nothing
  bool determined = false;
  bool at_bound = false;
};

struct Calibration {
  std::vector<FittedKey> keys;
  std::vector<Target> targets;
  std::vector<double> before, after;  // simulated, by target
  double noise =
      0;  // of the simulation: standard deviation of a figure from seed to seed, as a share; 95th percentile of all figures
  std::array<double, kTargetSides> scatter{1,
                                           1};  // by which the tolerances of reads and of writes were multiplied in the end
  Eigen::MatrixXd correlation;                  // of the keys that are determined, in order
  Eigen::VectorXd singular_values;              // of the data's part alone: each key moved by its prior's deviation
  std::uint32_t predictions = 0;
  bool converged = true;
};

struct CalibrationOptions {
  bool stretch = true;           // tolerances by side, by what the residuals show
  double far_off = 0;            // tolerances; 0: every residual counts as it is
  std::uint32_t replicates = 4;  // forecasts with other seeds, for the noise. REQUIRES: 2 or more
  // Told about each step, with the sum that is made small: for a progress line.
  std::function<void(std::uint32_t predictions, double sum)> progress;
};

// REQUIRES: keys and targets; those are what the forecast forecasts. Throws as the forecast.
Calibration calibrate(const DriveSet& bases, const std::vector<FitKey>& keys, TargetPrediction& prediction,
                      std::vector<Target> targets, const CalibrationOptions& options = {});

// Without anything to fit: only what the drives' errors are.
Calibration check_drives(const DriveSet& drives, TargetPrediction& prediction, std::vector<Target> targets,
                         const CalibrationOptions& options = {});

// Errors of some figures: |simulated / measured - 1|.
struct ErrorSpread {
  std::size_t count = 0;
  double median = 0, at_95 = 0, largest = 0;
};
ErrorSpread spread_of(std::vector<double> errors);
double error_of(const Target& target, double simulated);

}  // namespace ftlab
