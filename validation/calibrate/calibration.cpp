#include "validation/calibrate/calibration.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "models/theory/numerics/least_squares.h"
#include "sim/config/error.h"
#include "sim/core/check.h"
#include "sim/core/exact_math.h"
#include "validation/run/open_device.h"

namespace ftlab {
namespace {

using Eigen::VectorXd;

constexpr std::uint32_t kRescalings = 2;
// Below this share of the tolerance agreement is taken for chance: the simulation's own noise is of that order.
constexpr double kLeastScatter = 0.05;
constexpr LeastSquaresOptions kFitOptions{25, 1e-3, 5e-3};
constexpr std::uint64_t kOtherSeed = 0x5eed;  // added to the first, for a second Jacobian
// Of simulated / measured, so that a figure that comes out as nothing has a logarithm too.
constexpr double kLeastShare = 1e-3;

class Fit {
 public:
  Fit(const DriveSet& bases, const std::vector<FitKey>& keys, TargetPrediction& prediction,
      const std::vector<Target>& targets, const CalibrationOptions& options)
      : bases_(bases), keys_(keys), prediction_(prediction), targets_(targets), options_(options) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!targets[i].held_back) fitted_.push_back(i);
    }
    std::map<std::size_t, std::size_t> figures;
    for (const Target& target : targets) ++figures[target.together];
    for (const Target& target : targets)
      tolerance_.push_back(target.tolerance * std::sqrt(static_cast<double>(figures[target.together])));
    positions_.assign(keys.size(), 0);
    reported_.assign(keys.size(), 1);
    for (std::size_t k = 0; k < keys.size(); ++k) free_.push_back(k);
  }

  std::vector<double> simulate(const std::vector<double>& positions) { return simulate_all({positions}).front(); }

  // Fits, sets the tolerances by what is left, and lets go of the key that is known least, one at a time, until all that are
  // free are determined: of two keys that only their sum is known of, one stays.
  void run() {
    fit_and_rescale();
    for (std::optional<std::size_t> k = least_known(); k; k = least_known()) {
      reported_[*k] = reported(*k);
      positions_[*k] = 0;
      std::erase(free_, *k);
      if (free_.empty()) return;
      fit_and_rescale();
    }
  }

  const std::vector<double>& positions() const { return positions_; }
  const std::array<double, 2>& scatter() const { return scatter_; }
  std::uint32_t predictions() const { return predictions_; }
  bool converged() const { return converged_; }
  const FitUncertainty& uncertainty() const { return uncertainty_; }
  const std::vector<std::size_t>& free() const { return free_; }
  const VectorXd& singular_values() const { return singular_values_; }
  bool is_free(std::size_t k) const { return std::find(free_.begin(), free_.end(), k) != free_.end(); }

  // Of a key that is free, or was when it was let go.
  double reported(std::size_t k) const {
    const auto found = std::find(free_.begin(), free_.end(), k);
    if (found == free_.end()) return reported_.at(k);
    return uncertainty_.deviation[found - free_.begin()];
  }
  bool at_bound(std::size_t k) const {
    const auto found = std::find(free_.begin(), free_.end(), k);
    return found != free_.end() && last_.at_bound[static_cast<std::size_t>(found - free_.begin())];
  }

 private:
  using Scatter = std::array<double, kTargetSides>;

  std::vector<std::vector<double>> simulate_all(const std::vector<std::vector<double>>& places,
                                                std::uint64_t other_seed = 0) {
    std::vector<DriveSet> drives;
    for (const std::vector<double>& place : places) drives.push_back(drives_at(bases_, keys_, place));
    predictions_ += static_cast<std::uint32_t>(places.size());
    return prediction_.of(drives, other_seed);
  }

  // Positions of all keys, from those of the free ones.
  std::vector<double> place_of(const VectorXd& x) const {
    std::vector<double> place = positions_;
    for (std::size_t i = 0; i < free_.size(); ++i) place[free_[i]] = x[static_cast<Eigen::Index>(i)];
    return place;
  }

  // First the data, then the priors of the free keys.
  VectorXd residuals_of(const std::vector<double>& values, const VectorXd& x) const {
    const auto data = static_cast<Eigen::Index>(fitted_.size());
    VectorXd residuals(data + x.size());
    for (Eigen::Index i = 0; i < data; ++i) {
      const std::size_t t = fitted_[static_cast<std::size_t>(i)];
      const double off = exact_log(std::max(values[t] / targets_[t].measured, kLeastShare));
      residuals[i] = tamed(off / (tolerance_[t] * scatter_[targets_[t].side]));
    }
    residuals.tail(x.size()) = x;
    return residuals;
  }

  // Its square is what a residual counts.
  double tamed(double residual) const {
    if (options_.far_off == 0) return residual;
    const double share = residual / options_.far_off;
    return std::copysign(options_.far_off * std::sqrt(exact_log(1 + share * share)), residual);
  }

  LeastSquaresProblem problem(std::uint64_t other_seed = 0) {
    const auto count = static_cast<Eigen::Index>(free_.size());
    LeastSquaresProblem p{VectorXd(count), VectorXd(count), VectorXd(count), VectorXd(count), {}};
    for (Eigen::Index i = 0; i < count; ++i) {
      const FitKey& key = keys_[free_[static_cast<std::size_t>(i)]];
      p.low[i] = key.position(static_cast<double>(key.low));
      p.high[i] = key.position(static_cast<double>(key.high));
      p.start[i] = std::clamp(positions_[free_[static_cast<std::size_t>(i)]], p.low[i], p.high[i]);
      p.step[i] = key.step();
    }
    p.residuals = [this, other_seed](const std::vector<VectorXd>& xs) {
      std::vector<std::vector<double>> places;
      for (const VectorXd& x : xs) places.push_back(place_of(x));
      const std::vector<std::vector<double>> values = simulate_all(places, other_seed);
      std::vector<VectorXd> residuals;
      for (std::size_t i = 0; i < xs.size(); ++i) residuals.push_back(residuals_of(values[i], xs[i]));
      if (options_.progress) options_.progress(predictions_, residuals.front().squaredNorm());
      return residuals;
    };
    return p;
  }

  void fit_and_rescale() {
    for (std::uint32_t pass = 0; pass <= kRescalings; ++pass) {
      last_ = fit_least_squares(problem(), kFitOptions);
      positions_ = place_of(last_.x);
      converged_ = last_.converged;
      if (!options_.stretch) break;
      const Scatter now = data_scatter();
      bool same = true;
      for (std::size_t side = 0; side < now.size(); ++side)
        same = same && now[side] > 0.8 * scatter_[side] && now[side] < 1.25 * scatter_[side];
      if (pass == kRescalings || same) break;
      scatter_ = now;
    }
    find_uncertainty();
  }

  // What the data tell is found with two seeds, so that noise does not count as knowledge; each prior tells 1.
  void find_uncertainty() {
    const auto data = static_cast<Eigen::Index>(fitted_.size());
    Eigen::MatrixXd one = last_.jacobian.topRows(data);
    Eigen::MatrixXd other = jacobian_at(problem(kOtherSeed), last_.x).topRows(data);
    const Scatter now = options_.stretch ? data_scatter() : scatter_;
    for (Eigen::Index i = 0; i < data; ++i) {
      const std::size_t side = targets_[fitted_[static_cast<std::size_t>(i)]].side;
      one.row(i) *= scatter_[side] / now[side];
      other.row(i) *= scatter_[side] / now[side];
    }
    const Eigen::MatrixXd reported = information_of(one, other);
    uncertainty_ = uncertainty_of(reported + Eigen::MatrixXd::Identity(last_.x.size(), last_.x.size()), 1);
    if (singular_values_.size() > 0) return;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> parts(reported);
    singular_values_ = parts.eigenvalues().cwiseMax(0).cwiseSqrt().reverse();
  }

  // What the tolerances of each side would have to be multiplied with for its residuals to have a variance of 1. Each point
  // counts once, however many figures it has; the keys take a degree of freedom each, shared out by points.
  Scatter data_scatter() const {
    Scatter sum{};
    std::array<std::set<std::size_t>, kTargetSides> points;
    for (std::size_t i = 0; i < fitted_.size(); ++i) {
      const Target& target = targets_[fitted_[i]];
      const double residual = last_.residuals[static_cast<Eigen::Index>(i)];
      sum[target.side] += residual * residual;
      points[target.side].insert(target.together);
    }
    const auto all = static_cast<double>(points[0].size() + points[1].size());
    const double free_share = std::max(1 - static_cast<double>(last_.x.size()) / all, 0.1);
    Scatter scatter = scatter_;
    for (std::size_t side = 0; side < kTargetSides; ++side) {
      if (points[side].empty()) continue;
      const double variance = sum[side] / (static_cast<double>(points[side].size()) * free_share);
      scatter[side] = std::max(kLeastScatter, scatter_[side] * std::sqrt(variance));
    }
    return scatter;
  }

  // Of the free keys that are not determined; nothing when all are.
  std::optional<std::size_t> least_known() const {
    std::optional<std::size_t> least;
    for (const std::size_t k : free_) {
      if (reported(k) > kDetermined && (!least || reported(k) > reported(*least))) least = k;
    }
    return least;
  }

  const DriveSet& bases_;
  const std::vector<FitKey>& keys_;
  TargetPrediction& prediction_;
  const std::vector<Target>& targets_;
  const CalibrationOptions& options_;
  std::vector<std::size_t> fitted_;  // targets
  std::vector<std::size_t> free_;    // keys
  std::vector<double> positions_;
  std::vector<double> reported_;   // of keys that were let go
  std::vector<double> tolerance_;  // by target; of figures of one point together as of one figure
  Scatter scatter_{1, 1};
  LeastSquaresFit last_;
  FitUncertainty uncertainty_;
  VectorXd singular_values_;
  std::uint32_t predictions_ = 0;
  bool converged_ = false;
};

// A bound that the reader of drive files refuses is found before anything is simulated.
void check_bounds(const DriveSet& bases, const std::vector<FitKey>& keys) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    for (const std::uint64_t bound : {keys[k].low, keys[k].high}) {
      std::vector<double> place(keys.size(), 0);
      place[k] = keys[k].position(static_cast<double>(bound));
      try {
        for (const Node& drive : drives_at(bases, keys, place)) read_device(drive);
      } catch (const ConfigError& error) {
        throw ConfigError({"--fit", 0}, keys[k].path,
                          "cannot go to its bound " + std::to_string(bound) + ": " + error.what());
      }
    }
  }
}

// From seed to seed, of each figure; what 95 in 100 figures do not exceed.
double noise_of(const DriveSet& drives, TargetPrediction& prediction, std::uint32_t count) {
  std::vector<std::vector<double>> replicates;
  for (std::uint32_t r = 0; r < count; ++r) replicates.push_back(prediction.of({drives}, 1'000'003ull * (r + 1)).front());
  std::vector<double> deviations;
  for (std::size_t t = 0; t < replicates.front().size(); ++t) {
    double mean = 0, squares = 0;
    for (const auto& replicate : replicates) mean += replicate[t] / count;
    for (const auto& replicate : replicates) squares += (replicate[t] - mean) * (replicate[t] - mean);
    deviations.push_back(squares == 0 ? 0 : std::sqrt(squares / (count - 1)) / std::abs(mean));
  }
  return spread_of(std::move(deviations)).at_95;
}

FittedKey fitted_key(const Fit& fit, const FitKey& key, std::size_t k) {
  FittedKey fitted{key, key.rounded_at(fit.positions()[k]), 0, fit.reported(k), fit.is_free(k), fit.at_bound(k)};
  fitted.deviation = key.deviation_at(static_cast<double>(fitted.value), fitted.determined ? fitted.reported : 1);
  return fitted;
}

}  // namespace

Calibration calibrate(const DriveSet& bases, const std::vector<FitKey>& keys, TargetPrediction& prediction,
                      std::vector<Target> targets, const CalibrationOptions& options) {
  check_bounds(bases, keys);
  Calibration result = check_drives(bases, prediction, std::move(targets), options);
  Fit fit(bases, keys, prediction, result.targets, options);
  fit.run();
  for (std::size_t k = 0; k < keys.size(); ++k) result.keys.push_back(fitted_key(fit, keys[k], k));
  result.after = fit.simulate(fit.positions());
  result.scatter = fit.scatter();
  result.singular_values = fit.singular_values();
  if (!fit.free().empty()) result.correlation = fit.uncertainty().correlation;
  result.predictions += fit.predictions();
  result.converged = fit.converged();
  return result;
}

Calibration check_drives(const DriveSet& drives, TargetPrediction& prediction, std::vector<Target> targets,
                         const CalibrationOptions& options) {
  FTLAB_CHECK(!targets.empty(), "nothing to hold the simulation against");
  FTLAB_CHECK(options.replicates >= 2, "noise shows in two forecasts or more");
  Calibration result;
  result.before = prediction.of({drives}, 0).front();
  result.after = result.before;
  result.noise = noise_of(drives, prediction, options.replicates);
  result.targets = std::move(targets);
  result.predictions = 1 + options.replicates;
  return result;
}

double error_of(const Target& target, double simulated) { return std::abs(simulated / target.measured - 1); }

// The 95th percentile is the smallest error that at least 95 % of the errors do not exceed.
ErrorSpread spread_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  const std::size_t count = errors.size();
  return {count, (errors[(count - 1) / 2] + errors[count / 2]) / 2, errors[(count * 95 + 99) / 100 - 1], errors.back()};
}

}  // namespace ftlab
