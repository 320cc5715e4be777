// Fits numbers of drive files to measured or published figures. Minimises the sum of
//   (log(simulated / measured) / tolerance)^2   over all figures that are not held back, and
//   (distance from the base's value / deviation of its prior)^2   over all keys.
//
// Combinations of keys that the figures determine are fitted, even if no single key is determined; otherwise the priors
// hold. If only the mean of three read times is known, the three move together. A key that keeps more than half of its
// prior's deviation is not determined by itself; the combinations that determine it are reported.
//
// Figures of one point say much the same and together count as one. A residual r counts as far_off^2 log(1 + (r /
// far_off)^2), as in Cauchy's distribution (Holland, Welsch, "Robust regression using iteratively reweighted least-squares",
// Comm. Statist. A6, 1977), so that a figure that the model does not show at all affects no key. Far from the solution all
// figures look like that, so a first fit takes residuals as they are. If figures agree better than their tolerances (median
// residual of reads and of writes), the tolerances are reduced, down to the seed-to-seed noise of each figure, which the
// measurement also has, and the fit is repeated. Tolerances never grow: larger residuals are reported as misfits, not
// treated as scatter, and only increase the stated deviations of the keys.
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

// Share of the prior's deviation above which a key is not determined by itself.
inline constexpr double kDetermined = 0.5;
// Share above which a key keeps its value, because the data do not determine it at all.
inline constexpr double kSilent = 0.98;

struct FittedKey {
  FitKey key;
  std::uint64_t value = 0;
  double deviation = 0;  // one standard deviation, in the key's unit
  double reported = 0;   // deviation after the fit, as a share of the prior's: 0 fully known, 1 unknown
  bool determined = false;
  bool kept = false;  // value left unchanged, not determined by the data
  bool at_bound = false;
  // Where a fit from another start ends that agrees nearly as well, if that is beyond the deviation that the surroundings of
  // the value suggest. `deviation` then contains both values.
  std::optional<std::uint64_t> other_optimum;
};

// A combination of keys that is known although the single keys are not: the product of their values, each to the power of
// its weight. The absolute weights add up to 1.
struct KnownTogether {
  std::vector<std::pair<std::size_t, double>> weights;  // (key index, weight); logarithmic keys only
  double deviation = 0;                                 // standard deviation of the product's logarithm
};

struct Calibration {
  std::vector<FittedKey> keys;
  std::vector<KnownTogether> together;
  std::vector<Target> targets;
  std::vector<double> before, after;  // simulated, by target
  // Simulation noise: standard deviation from seed to seed as a share of each figure, and the 95th percentile of these.
  std::vector<double> noise_of_targets;
  double noise = 0;
  // Scale of the residuals of reads and of writes, in tolerances, from their median.
  std::array<double, kTargetSides> scatter{1, 1};
  Eigen::MatrixXd correlation;      // by key
  Eigen::VectorXd singular_values;  // data only, with keys in deviations of their priors
  std::uint32_t predictions = 0;
  bool converged = true;
};

struct CalibrationOptions {
  bool far_start = true;         // the start may be far off; false if forecasts are slow and the start is near
  bool tighten = true;           // reduce tolerances where the figures agree better
  double far_off = 3;            // tolerances; 0: residuals count as they are
  // Fits from other starts, which look for a second optimum: the most promising of the values two deviations of the prior
  // above and below, of each key that is determined.
  std::uint32_t restarts = 2;
  std::uint32_t replicates = 8;  // forecasts with other seeds, to estimate noise. REQUIRES: 2 or more
  // Progress callback of each step: number of predictions, their upper bound, and the minimised sum (nullopt while noise is
  // estimated).
  std::function<void(std::uint32_t predictions, std::uint32_t most, std::optional<double> sum)> progress;
};

// REQUIRES: keys and targets are not empty, and `prediction` forecasts the targets. Throws like the prediction.
Calibration calibrate(const DriveSet& bases, const std::vector<FitKey>& keys, TargetPrediction& prediction,
                      std::vector<Target> targets, const CalibrationOptions& options = {});

// Evaluates the drives without fitting: reports only their errors.
Calibration check_drives(const DriveSet& drives, TargetPrediction& prediction, std::vector<Target> targets,
                         const CalibrationOptions& options = {});

// Derivatives of the targets' residuals at the bases: change of each figure, in tolerances, by deviation of each key's
// prior. Rows are targets, columns keys. As in a fit, figures of one point together count as one. `other_seed` changes the
// noise of the derivatives. REQUIRES: no target is held back.
Eigen::MatrixXd sensitivities(const DriveSet& bases, const std::vector<FitKey>& keys, TargetPrediction& prediction,
                              const std::vector<Target>& targets, std::uint64_t other_seed);

// Refuses bounds of keys that the reader of drive files rejects. Throws ConfigError.
void check_bounds(const DriveSet& bases, const std::vector<FitKey>& keys);

// Standard deviation from seed to seed of each figure, as a share of it. REQUIRES: two forecasts or more.
std::vector<double> noise_between(const std::vector<std::vector<double>>& forecasts);

// Distribution of the errors |simulated / measured - 1| of some figures.
struct ErrorSpread {
  std::size_t count = 0;
  double median = 0, at_95 = 0, largest = 0;
};
ErrorSpread spread_of(std::vector<double> errors);
double error_of(const Target& target, double simulated);
// True if the error exceeds the target's limit.
bool misfits(const Target& target, double simulated);

}  // namespace ftlab
