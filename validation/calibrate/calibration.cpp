#include "validation/calibrate/calibration.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "models/theory/numerics/least_squares.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/core/exact_math.h"
#include "validation/calibrate/drive_state.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

using Eigen::VectorXd;

constexpr std::uint32_t kTightenings = 2;
// Least scatter, as a share of the tolerance. Closer agreement is chance: the simulation's noise is of that order.
constexpr double kLeastScatter = 0.05;
constexpr double kMedianOfNormal = 0.6745;  // median absolute value, in standard deviations
constexpr std::uint32_t kSharesTried = 6;   // of a share of the state, before the first fit
constexpr LeastSquaresOptions kFitOptions{25, 1e-3, 5e-3};
constexpr LeastSquaresOptions kRestartOptions{6, 1e-3, 5e-3};
constexpr double kRestartDistance = 2;  // deviations of the prior
// Two deviations of one key, in the minimised sum: optima that differ by less are both possible (Wilks).
constexpr double kNearlyAsWell = 4;
constexpr double kBackAgain = 0.1;    // deviations of the prior: such a fit has found the same optimum
constexpr double kLeastBetter = 0.5;  // of the minimised sum, for another optimum to be taken
constexpr std::uint64_t kOtherSeed = 0x5eed;  // seed offset of the second Jacobian
// Least simulated / measured, so that a simulated 0 has a logarithm.
constexpr double kLeastShare = 1e-3;

// A deviation estimated from few forecasts is uncertain: averages each with the mean square of its side. Figures without
// noise stay without.
std::vector<double> pooled(std::vector<double> deviations, const std::vector<Target>& targets) {
  constexpr double kNone = 1e-4;
  for (std::size_t side = 0; side < kTargetSides; ++side) {
    double squares = 0, count = 0;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (targets[t].side != side || deviations[t] < kNone) continue;
      squares += deviations[t] * deviations[t];
      ++count;
    }
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (targets[t].side != side || deviations[t] < kNone) continue;
      deviations[t] = std::sqrt((deviations[t] * deviations[t] + squares / count) / 2);
    }
  }
  return deviations;
}

// Number of predictions in checked(): the drives as they are, and their noise.
std::uint32_t predictions_of_check(const CalibrationOptions& options) { return 1 + options.replicates; }

// Upper bound. Each round of a fit moves every key once and tries one step; at its end each key moves to both sides.
std::uint32_t most_predictions(const std::vector<FitKey>& keys, const CalibrationOptions& options) {
  const auto moved = static_cast<std::uint32_t>(keys.size());
  const auto shares = static_cast<std::uint32_t>(
      std::count_if(keys.begin(), keys.end(), [](const FitKey& key) { return key.is_of_state(); }));
  const std::uint32_t fits = 1 + (options.far_start ? 1 : 0) + (options.tighten ? kTightenings : 0);
  const std::uint32_t of_fit = 2 + moved + kFitOptions.most_rounds * (moved + 1) + 2 * moved;
  const std::uint32_t noise_here = options.tighten ? options.replicates : 0;
  const std::uint32_t of_restart = 2 + moved + kRestartOptions.most_rounds * (moved + 1) + 2 * moved;
  const std::uint32_t restarted = options.restarts == 0 ? 0 : 4 * moved + options.restarts * 2 * of_restart;
  return predictions_of_check(options) + restarted + shares * kSharesTried + fits * of_fit + noise_here + 2 * moved;
}

// Noise from seed to seed, as a share of each figure. `done` predictions were made before; there may be `most` in total.
std::vector<double> noise_of(const DriveSet& drives, TargetPrediction& prediction, const CalibrationOptions& options,
                             std::uint32_t done, std::uint32_t most) {
  std::vector<std::vector<double>> replicates;
  for (std::uint32_t r = 0; r < options.replicates; ++r) {
    replicates.push_back(prediction.of({drives}, 1'000'003ull * (r + 1)).front());
    if (options.progress) options.progress(done + r + 1, most, std::nullopt);
  }
  return noise_between(replicates);
}

// Cauchy's loss for a squared residual, in tolerances. `far_off` 0: the square itself.
double cauchy(double squared, double far_off) {
  return far_off == 0 ? squared : far_off * far_off * exact_log(1 + squared / (far_off * far_off));
}

double log_off(const Target& target, double simulated) {
  return exact_log(std::max(simulated / target.measured, kLeastShare));
}

// For each target, the number of figures of its point, which together count as one.
std::vector<double> figures_of_points(const std::vector<Target>& targets) {
  std::map<std::size_t, double> figures;
  for (const Target& target : targets) ++figures[target.together];
  std::vector<double> all;
  for (const Target& target : targets) all.push_back(figures[target.together]);
  return all;
}

class Fit {
 public:
  Fit(const DriveSet& bases, const std::vector<FitKey>& keys, TargetPrediction& prediction,
      const std::vector<Target>& targets, const std::vector<double>& noise, const CalibrationOptions& options)
      : bases_(bases),
        keys_(keys),
        prediction_(prediction),
        targets_(targets),
        noise_(noise),
        options_(options),
        positions_(VectorXd::Zero(static_cast<Eigen::Index>(keys.size()))) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!targets[i].held_back) fitted_.push_back(i);
    }
    other_.resize(keys.size());
    for (const double figures : figures_of_points(targets)) share_of_point_.push_back(1 / std::sqrt(figures));
    set_deviations({1, 1});
  }

  std::vector<double> simulate() { return simulate_all({positions_}).front(); }

  void run() {
    if (options_.far_start) {
      robust_ = false;
      for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (keys_[k].is_of_state()) start_from_best_share(k);
      }
      fit();
      robust_ = true;
    }
    if (options_.tighten) {
      noise_ = noise_here();  // a figure that had a fixed limit at the start may scatter here
      set_deviations({kLeastScatter, kLeastScatter});
    }
    fit();
    for (std::uint32_t pass = 0; options_.tighten && pass < kTightenings; ++pass) {
      Scatter now = scatter();
      bool same = true;
      for (std::size_t side = 0; side < kTargetSides; ++side) {
        now[side] = std::min(now[side], 1.0);
        same = same && now[side] > 0.8 * tightened_[side] && now[side] < 1.25 * tightened_[side];
      }
      if (same) break;
      set_deviations(now);
      fit();
    }
    find_uncertainty();
    if (options_.restarts > 0) find_other_optima();
  }

  double position(std::size_t k) const { return positions_[static_cast<Eigen::Index>(k)]; }
  // Deviation after the fit, as a share of the prior's.
  double reported(std::size_t k) const {
    const double around = uncertainty_.deviation[static_cast<Eigen::Index>(k)];
    return other_[k] ? std::max(around, std::abs(*other_[k] - position(k))) : around;
  }
  // Position of another optimum that agrees nearly as well.
  std::optional<double> other_optimum(std::size_t k) const { return other_[k]; }
  bool is_undetermined(std::size_t k) const { return uncertainty_.deviation[static_cast<Eigen::Index>(k)] > kSilent; }
  bool at_bound(std::size_t k) const { return last_.at_bound[k] && !is_undetermined(k); }

  // Derivatives of the residuals of the data at x.
  Eigen::MatrixXd derivatives(std::uint64_t other_seed, const VectorXd& x) {
    return jacobian_at(problem(other_seed), x).topRows(static_cast<Eigen::Index>(fitted_.size()));
  }

  const std::vector<double>& noise() const { return noise_; }
  std::uint32_t predictions() const { return predictions_; }
  bool converged() const { return converged_; }
  const FitUncertainty& uncertainty() const { return uncertainty_; }
  const VectorXd& singular_values() const { return singular_values_; }
  using Scatter = std::array<double, kTargetSides>;

  // Scale of the residuals, in tolerances.
  Scatter scatter() const {
    return scale_of([this](std::size_t t) { return targets_[t].tolerance; }, kLeastScatter);
  }

  // Eigenvectors of the data's information that are known better than half of the prior and include keys that are not
  // determined by themselves.
  std::vector<KnownTogether> known_together() const {
    std::vector<KnownTogether> all;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> parts(information_);
    for (Eigen::Index d = 0; d < parts.eigenvalues().size(); ++d) {
      const double left = 1 / std::sqrt(1 + std::max(parts.eigenvalues()[d], 0.0));
      const VectorXd direction = parts.eigenvectors().col(d);
      KnownTogether together;
      double sum = 0;
      bool unknown = false;
      for (std::size_t k = 0; k < keys_.size(); ++k) {
        const double along = direction[static_cast<Eigen::Index>(k)];
        if (std::abs(along) < kLeastPart || !keys_[k].logarithmic) continue;
        together.weights.emplace_back(k, along / keys_[k].deviation);
        sum += std::abs(along) / keys_[k].deviation;
        unknown = unknown || reported(k) > kDetermined;
      }
      if (left > kDetermined || together.weights.size() < 2 || !unknown) continue;
      const double sign = together.weights.front().second < 0 ? -1 : 1;
      for (auto& [key, weight] : together.weights) weight *= sign / sum;
      together.deviation = left / sum;
      all.push_back(std::move(together));
    }
    return all;
  }

 private:
  static constexpr double kLeastPart = 0.3;  // share of a direction's length for a key to be named

  static std::vector<double> place_of(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }
  std::vector<std::vector<double>> simulate_all(const std::vector<VectorXd>& places, std::uint64_t other_seed = 0) {
    std::vector<DriveSet> drives;
    for (const VectorXd& place : places) drives.push_back(drives_at(bases_, keys_, place_of(place)));
    predictions_ += static_cast<std::uint32_t>(places.size());
    return prediction_.of(drives, other_seed);
  }

  std::vector<double> noise_here() {
    predictions_ += options_.replicates;
    return noise_of(drives_at(bases_, keys_, place_of(positions_)), prediction_, options_,
                    predictions_of_check(options_) + predictions_ - options_.replicates,
                    most_predictions(keys_, options_));
  }

  // The start of a share is arbitrary, and figures do not change evenly with it: the median of reads jumps where half of
  // them find unwritten space. So the fit begins at the share that agrees best.
  void start_from_best_share(std::size_t k) {
    std::vector<VectorXd> places;
    for (std::uint32_t step = 0; step < kSharesTried; ++step) {
      places.push_back(positions_);
      const double share = static_cast<double>(step) / (kSharesTried - 1);
      const double value = static_cast<double>(keys_[k].low) + share * static_cast<double>(keys_[k].high - keys_[k].low);
      places.back()[static_cast<Eigen::Index>(k)] = keys_[k].position(value);
    }
    const std::vector<std::vector<double>> values = simulate_all(places);
    double least = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double sum = residuals_of(values[i], places[i]).squaredNorm();
      if (i == 0 || sum < least) positions_ = places[i];
      least = i == 0 ? sum : std::min(sum, least);
    }
  }

  // Sets the allowed deviation of each figure: its tolerance, tightened, combined with noise and rounding.
  void set_deviations(const Scatter& tightened) {
    tightened_ = tightened;
    deviation_.clear();
    const std::vector<double> noise = pooled(noise_, targets_);
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      const double own = targets_[t].tolerance * tightened_[targets_[t].side];
      const double chance = std::hypot(noise[t] * targets_[t].noise_factor, targets_[t].rounding);
      deviation_.push_back(options_.tighten ? std::hypot(own, chance) : own);
    }
  }

  // Residual scale by side: median amount in units of `unit(target)`, at least `least`; 1 for a side without figures.
  // Rounded figures often agree exactly, which says nothing of the scatter, so they count only where there are no others.
  template <class Unit>
  Scatter scale_of(Unit&& unit, double least) const {
    std::array<std::vector<double>, kTargetSides> amounts;
    for (const bool rounded : {false, true}) {
      const auto others = amounts;
      for (const std::size_t t : fitted_) {
        const std::size_t side = targets_[t].side;
        if ((targets_[t].rounding > 0) == rounded && others[side].empty())
          amounts[side].push_back(std::abs(off_[t]) / unit(t));
      }
    }
    Scatter all{1, 1};
    for (std::size_t side = 0; side < kTargetSides; ++side) {
      if (!amounts[side].empty()) all[side] = std::max(least, spread_of(amounts[side]).median / kMedianOfNormal);
    }
    return all;
  }

  // Residuals of the data, then of the priors.
  VectorXd residuals_of(const std::vector<double>& values, const VectorXd& x) const {
    const auto data = static_cast<Eigen::Index>(fitted_.size());
    VectorXd residuals(data + x.size());
    for (Eigen::Index i = 0; i < data; ++i) {
      const std::size_t t = fitted_[static_cast<std::size_t>(i)];
      const double off = log_off(targets_[t], values[t]) / targets_[t].tolerance;
      const double counted = std::copysign(std::sqrt(cauchy(off * off, robust_ ? options_.far_off : 0)), off);
      residuals[i] = counted * share_of_point_[t] * targets_[t].tolerance / deviation_[t];
    }
    residuals.tail(x.size()) = x;
    return residuals;
  }

  LeastSquaresProblem problem(std::uint64_t other_seed = 0) {
    const Eigen::Index count = positions_.size();
    LeastSquaresProblem p{VectorXd(count), VectorXd(count), VectorXd(count), VectorXd(count), {}};
    for (Eigen::Index i = 0; i < count; ++i) {
      const FitKey& key = keys_[static_cast<std::size_t>(i)];
      p.low[i] = key.position(static_cast<double>(key.low));
      p.high[i] = key.position(static_cast<double>(key.high));
      p.start[i] = std::clamp(positions_[i], p.low[i], p.high[i]);
      p.step[i] = key.step();
    }
    p.residuals = [this, other_seed](const std::vector<VectorXd>& xs) {
      const std::vector<std::vector<double>> values = simulate_all(xs, other_seed);
      std::vector<VectorXd> residuals;
      for (std::size_t i = 0; i < xs.size(); ++i) residuals.push_back(residuals_of(values[i], xs[i]));
      if (options_.progress) {
        options_.progress(predictions_of_check(options_) + predictions_, most_predictions(keys_, options_),
                          residuals.front().squaredNorm());
      }
      return residuals;
    };
    return p;
  }

  void fit() {
    last_ = fit_least_squares(problem(), kFitOptions);
    positions_ = last_.x;
    converged_ = last_.converged;
    const std::vector<double> values = simulate();
    off_.clear();
    for (std::size_t t = 0; t < targets_.size(); ++t) off_.push_back(log_off(targets_[t], values[t]));
  }

  // Starts of further fits: this optimum, with one determined key moved. Those that agree best come first.
  std::vector<VectorXd> other_starts() {
    const LeastSquaresProblem here = problem();
    std::vector<VectorXd> starts;
    for (Eigen::Index k = 0; k < positions_.size(); ++k) {
      if (reported(static_cast<std::size_t>(k)) > kDetermined) continue;
      for (const double away : {-kRestartDistance, kRestartDistance}) {
        VectorXd start = here.start;
        start[k] = std::clamp(away, here.low[k], here.high[k]);
        if (std::abs(start[k] - positions_[k]) > kDetermined) starts.push_back(std::move(start));
      }
    }
    if (starts.empty()) return starts;
    std::vector<std::pair<double, std::size_t>> sums;
    for (const VectorXd& residuals : here.residuals(starts)) sums.emplace_back(residuals.squaredNorm(), sums.size());
    std::sort(sums.begin(), sums.end());
    std::vector<VectorXd> best;
    for (std::size_t i = 0; i < std::min<std::size_t>(sums.size(), options_.restarts); ++i)
      best.push_back(starts[sums[i].second]);
    return best;
  }

  // A start away from the optimum is far off, so the first fit takes residuals as they are, as in run().
  LeastSquaresFit fit_from(const VectorXd& start) {
    LeastSquaresProblem from = problem();
    from.start = start;
    robust_ = !options_.far_start;
    if (!robust_) from.start = fit_least_squares(from, kRestartOptions).x;
    robust_ = true;
    if ((from.start - last_.x).cwiseAbs().maxCoeff() < kBackAgain) return last_;
    return fit_least_squares(from, kRestartOptions);
  }

  // A better optimum replaces this one.
  void find_other_optima() {
    std::vector<LeastSquaresFit> found;
    for (const VectorXd& start : other_starts()) {
      found.push_back(fit_from(start));
      if (found.back().residuals.squaredNorm() + kLeastBetter > last_.residuals.squaredNorm()) continue;
      positions_ = found.back().x;
      found.back() = last_;
      fit();
      find_uncertainty();
    }
    for (const LeastSquaresFit& other : found) remember_if_possible(other);
  }

  // An optimum at the distance of d stated deviations should be worse by d^2. It contradicts them if it is worse by less
  // than a quarter of that, so that twice the deviation would be right.
  void remember_if_possible(const LeastSquaresFit& other) {
    const double worse = (other.residuals.squaredNorm() - last_.residuals.squaredNorm()) / (excess_ * excess_);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      const double around = uncertainty_.deviation[static_cast<Eigen::Index>(k)];
      const double away = std::abs(other.x[static_cast<Eigen::Index>(k)] - position(k));
      const double expected = away * away / (around * around);
      if (around > kSilent || away <= around || worse >= std::min(kNearlyAsWell, expected / 4)) continue;
      if (!other_[k] || away > std::abs(*other_[k] - position(k))) other_[k] = other.x[static_cast<Eigen::Index>(k)];
    }
  }

  // The data's information uses two seeds, so that noise does not count as knowledge; each prior adds 1.
  void find_uncertainty() {
    const auto data = static_cast<Eigen::Index>(fitted_.size());
    Eigen::MatrixXd one = last_.jacobian.topRows(data);
    Eigen::MatrixXd other = derivatives(kOtherSeed, last_.x);
    // Residuals larger than allowed make the keys less certain.
    const Scatter more = options_.tighten ? scale_of([this](std::size_t t) { return deviation_[t]; }, 1) : Scatter{1, 1};
    excess_ = *std::max_element(more.begin(), more.end());
    for (Eigen::Index i = 0; i < data; ++i) {
      const std::size_t side = targets_[fitted_[static_cast<std::size_t>(i)]].side;
      one.row(i) /= more[side];
      other.row(i) /= more[side];
    }
    information_ = information_of(one, other);
    uncertainty_ = uncertainty_of(information_ + Eigen::MatrixXd::Identity(last_.x.size(), last_.x.size()), 1);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> parts(information_);
    singular_values_ = parts.eigenvalues().cwiseMax(0).cwiseSqrt().reverse();
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (is_undetermined(k)) positions_[static_cast<Eigen::Index>(k)] = 0;
    }
  }

  const DriveSet& bases_;
  const std::vector<FitKey>& keys_;
  TargetPrediction& prediction_;
  const std::vector<Target>& targets_;
  std::vector<double> noise_;  // by target, from seed to seed
  const CalibrationOptions& options_;
  std::vector<std::size_t> fitted_;     // indices of targets
  std::vector<double> share_of_point_;  // by target: figures of one point together count as one figure
  VectorXd positions_;                  // by key, in deviations of the priors
  bool robust_ = true;
  Scatter tightened_{1, 1};
  std::vector<double> deviation_;  // by target
  std::vector<double> off_;        // by target: residual of the logarithm after the last fit
  LeastSquaresFit last_;
  Eigen::MatrixXd information_;
  FitUncertainty uncertainty_;
  double excess_ = 1;                         // scale of the residuals in allowed deviations, of the worse side
  std::vector<std::optional<double>> other_;  // by key
  VectorXd singular_values_;
  std::uint32_t predictions_ = 0;
  bool converged_ = false;
};

FittedKey fitted_key(const Fit& fit, const FitKey& key, std::size_t k) {
  FittedKey fitted{key,
                   key.rounded_at(fit.position(k)),
                   0,
                   fit.reported(k),
                   fit.reported(k) <= kDetermined,
                   fit.is_undetermined(k),
                   fit.at_bound(k),
                   {}};
  if (fit.other_optimum(k)) fitted.other_optimum = key.rounded_at(*fit.other_optimum(k));
  fitted.at_bound = !fitted.kept && (fitted.at_bound || fitted.value == key.low || fitted.value == key.high);
  const double on_scale = fitted.other_optimum ? fitted.reported : std::min(fitted.reported, 1.0);
  fitted.deviation = key.deviation_at(static_cast<double>(fitted.value), on_scale);
  return fitted;
}

// `most`: upper bound of all predictions, for progress.
Calibration checked(const DriveSet& drives, TargetPrediction& prediction, std::vector<Target> targets,
                    const CalibrationOptions& options, std::uint32_t most) {
  FTLAB_CHECK(!targets.empty(), "nothing to hold the simulation against");
  FTLAB_CHECK(options.replicates >= 2, "noise shows in two forecasts or more");
  Calibration result;
  result.before = prediction.of({drives}, 0).front();
  result.after = result.before;
  if (options.progress) options.progress(1, most, std::nullopt);
  result.noise_of_targets = noise_of(drives, prediction, options, 1, most);
  result.noise = spread_of(result.noise_of_targets).at_95;
  result.targets = std::move(targets);
  result.predictions = predictions_of_check(options);
  return result;
}

}  // namespace

void check_bounds(const DriveSet& bases, const std::vector<FitKey>& keys) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    for (const std::uint64_t bound : {keys[k].low, keys[k].high}) {
      std::vector<double> place(keys.size(), 0);
      place[k] = keys[k].position(static_cast<double>(bound));
      try {
        for (const Node& drive : drives_at(bases, keys, place)) read_device(without_state(drive));
      } catch (const ConfigError& error) {
        throw ConfigError({"--fit", 0}, keys[k].path,
                          "cannot go to its bound " + keys[k].shown(static_cast<double>(bound)) + ": " + error.what());
      }
    }
  }
}

Eigen::MatrixXd sensitivities(const DriveSet& bases, const std::vector<FitKey>& keys, TargetPrediction& prediction,
                              const std::vector<Target>& targets, std::uint64_t other_seed) {
  CalibrationOptions as_they_are;
  as_they_are.tighten = false;
  as_they_are.far_off = 0;
  Fit fit(bases, keys, prediction, targets, std::vector<double>(targets.size(), 0), as_they_are);
  return fit.derivatives(other_seed, VectorXd::Zero(static_cast<Eigen::Index>(keys.size())));
}

Calibration calibrate(const DriveSet& bases, const std::vector<FitKey>& keys, TargetPrediction& prediction,
                      std::vector<Target> targets, const CalibrationOptions& options) {
  check_bounds(bases, keys);
  Calibration result = checked(bases, prediction, std::move(targets), options, most_predictions(keys, options));
  Fit fit(bases, keys, prediction, result.targets, result.noise_of_targets, options);
  fit.run();
  for (std::size_t k = 0; k < keys.size(); ++k) result.keys.push_back(fitted_key(fit, keys[k], k));
  result.after = fit.simulate();
  result.noise_of_targets = fit.noise();
  result.noise = spread_of(result.noise_of_targets).at_95;
  result.together = fit.known_together();
  result.scatter = fit.scatter();
  result.singular_values = fit.singular_values();
  result.correlation = fit.uncertainty().correlation;
  result.predictions += fit.predictions();
  result.converged = fit.converged();
  return result;
}

Calibration check_drives(const DriveSet& drives, TargetPrediction& prediction, std::vector<Target> targets,
                         const CalibrationOptions& options) {
  return checked(drives, prediction, std::move(targets), options, predictions_of_check(options));
}

bool misfits(const Target& target, double simulated) { return error_of(target, simulated) > target.limit(); }

double error_of(const Target& target, double simulated) { return std::abs(simulated / target.measured - 1); }

// The 95th percentile is the smallest error that at least 95 % of the errors do not exceed.
std::vector<double> noise_between(const std::vector<std::vector<double>>& forecasts) {
  const auto count = static_cast<double>(forecasts.size());
  std::vector<double> deviations;
  for (std::size_t t = 0; t < forecasts.front().size(); ++t) {
    double mean = 0, squares = 0;
    for (const std::vector<double>& forecast : forecasts) mean += forecast[t] / count;
    for (const std::vector<double>& forecast : forecasts) squares += (forecast[t] - mean) * (forecast[t] - mean);
    deviations.push_back(squares == 0 ? 0 : std::sqrt(squares / (count - 1)) / std::abs(mean));
  }
  return deviations;
}

ErrorSpread spread_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  const std::size_t count = errors.size();
  return {count, (errors[(count - 1) / 2] + errors[count / 2]) / 2, errors[(count * 95 + 99) / 100 - 1], errors.back()};
}

}  // namespace ftlab
