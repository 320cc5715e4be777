// Numbers of drive files fitted to figures that were measured or published. What is made small is the sum of
//   (log(simulated / measured) / tolerance)^2   over all figures that are not held back, and
//   (distance from the base's value / deviation of its prior)^2   over all keys.
//
// Nothing is put back: directions in which the figures speak are fitted, whatever the single keys may be worth, and in the
// others the priors hold. Of three read times of which only the mean is known, the three move together. A key of which more
// than half of its prior's deviation is left is not determined by itself; what is known of it with others is reported.
//
// The figures of one point tell much the same: together they count as one. A residual r counts as
// far_off^2 log(1 + (r / far_off)^2), as with Cauchy's distribution (Holland, Welsch, "Robust regression using iteratively
// reweighted least-squares", Comm. Statist. A6, 1977), so that a figure that the model does not show at all bends no key. A
// start from afar would see nothing but such figures: a first fit counts every residual as it is. Where the figures agree
// better than their tolerances, by the median of the residuals of reads and of writes, the tolerances are made smaller and
// the fit is made again, down to the noise of each figure from seed to seed, which the measurement has, too. They are never
// made larger: what is left is reported as misfit, not taken for scatter. Only the stated deviations of the keys grow with
// it.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validation/calibrate/fit_key.h"
#include "validation/calibrate/target.h"

namespace ftlab {

// Of the prior's deviation: a key whose deviation after the fit is more is not determined by itself.
inline constexpr double kDetermined = 0.5;
// A key that has more left than that is kept as it is: the data say nothing of it.
inline constexpr double kSilent = 0.98;

struct FittedKey {
  FitKey key;
  std::uint64_t value = 0;
  double deviation = 0;  // one standard deviation, in the key's unit
  double reported = 0;   // deviation after the fit, as a share of the prior's: 0 all is known, 1 nothing
  bool determined = false;
  bool kept = false;  // the data say nothing of it
  bool at_bound = false;
};

// A combination of keys that is known, though the keys themselves are not: the product of their values, each to the power of
// its weight. The weights add up to 1, signs aside.
struct KnownTogether {
  std::vector<std::pair<std::size_t, double>> weights;  // of keys by number; logarithmic ones
  double deviation = 0;                                 // of the logarithm of the product
};

struct Calibration {
  std::vector<FittedKey> keys;
  std::vector<KnownTogether> together;
  std::vector<Target> targets;
  std::vector<double> before, after;  // simulated, by target
  // Of the simulation: standard deviation of a figure from seed to seed, as a share; and the 95th percentile of all figures.
  std::vector<double> noise_of_targets;
  double noise = 0;
  // Of reads and of writes: the residuals' own scale, in tolerances, by their median.
  std::array<double, kTargetSides> scatter{1, 1};
  Eigen::MatrixXd correlation;      // of the keys, in order
  Eigen::VectorXd singular_values;  // of the data's part alone: each key moved by its prior's deviation
  std::uint32_t predictions = 0;
  bool converged = true;
};

struct CalibrationOptions {
  bool far_start = true;         // the start may be far off; false: where forecasts are dear and the start is near
  bool tighten = true;           // tolerances are made smaller where the figures agree better
  double far_off = 3;            // tolerances; 0: every residual counts as it is
  std::uint32_t replicates = 8;  // forecasts with other seeds, for the noise. REQUIRES: 2 or more
  // Told about each step, with how many predictions there may be at most, and with the sum that is made small, or nothing
  // while the noise is found: for a progress line.
  std::function<void(std::uint32_t predictions, std::uint32_t most, std::optional<double> sum)> progress;
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
// What the figures that take part come to after the fit, with their stated tolerances, and the distances of the keys from
// their priors: to choose between fits of the same figures in different states of the drive. The smaller the better.
double distance_of(const Calibration& calibration, double far_off = CalibrationOptions().far_off);
// It lies further off than its limit.
bool misfits(const Target& target, double simulated);

}  // namespace ftlab
