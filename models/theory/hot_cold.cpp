#include "models/theory/hot_cold.h"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "models/theory/cost_benefit.h"
#include "models/theory/fifo_classes.h"
#include "models/theory/numerics/roots.h"

namespace ftlab {

namespace {

// Solves x = g(x) for a vector if iterating g converges, but slowly: at a write amplification of 10 each generation of
// blocks inherits nine tenths of its pages from the one before.
struct FixedPointLimits {
  double enough = 1e-10;      // done if the sum of |g(x) - x| is below this
  double acceptable = 1e-10;  // good enough at the limit of steps
  int steps = 400;
};

constexpr Eigen::Index kMemory = 8;  // earlier steps used by the extrapolation

// The last differences of g(x) and of the residual g(x) - x, as columns in a ring.
struct History {
  Eigen::MatrixXd value_steps, residual_steps;
  Eigen::Index count = 0;

  explicit History(Eigen::Index size) : value_steps(size, kMemory), residual_steps(size, kMemory) {}

  void add(const Eigen::VectorXd& value_step, const Eigen::VectorXd& residual_step) {
    value_steps.col(count % kMemory) = value_step;
    residual_steps.col(count % kMemory) = residual_step;
    ++count;
  }

  // g(x) minus the combination of earlier steps whose residuals best explain the present one.
  Eigen::VectorXd extrapolate(const Eigen::VectorXd& value, const Eigen::VectorXd& residual) const {
    const Eigen::Index columns = std::min(count, kMemory);
    if (columns == 0) return value;
    const Eigen::VectorXd weights = residual_steps.leftCols(columns).colPivHouseholderQr().solve(residual);
    return value - value_steps.leftCols(columns) * weights;
  }
};

// Empty if the limit of steps is reached far from a solution. Each step costs one g and a least-squares problem in a few
// columns. `admissible` brings an extrapolated x back to where g is defined. (D. G. Anderson, J. ACM 12, 1965; in the form
// of Walker and Ni, SIAM J. Numer. Anal. 49, 2011.)
std::optional<Eigen::VectorXd> fixed_point(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& g,
                                           const std::function<void(Eigen::VectorXd&)>& admissible, Eigen::VectorXd x,
                                           const FixedPointLimits& limits) {
  History history(x.size());
  Eigen::VectorXd value = g(x), residual = value - x;
  for (int step = 0; step < limits.steps; ++step) {
    if (!residual.allFinite()) return std::nullopt;
    if (residual.lpNorm<1>() < limits.enough) return value;
    x = history.extrapolate(value, residual);
    admissible(x);
    Eigen::VectorXd next = g(x), next_residual = next - x;
    // Far from the solution extrapolation may overshoot: then drop the history and continue with plain steps.
    if (next_residual.lpNorm<1>() > 4 * residual.lpNorm<1>()) {
      history.count = 0;
    } else {
      history.add(next - value, next_residual - residual);
    }
    value.swap(next);
    residual.swap(next_residual);
  }
  if (residual.lpNorm<1>() < limits.acceptable) return value;
  return std::nullopt;
}

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::VectorXd;
using Policy = WaQuestion::Policy;

// Blocks of one level: rates at which they arrive, and at which they lose pages, by composition.
struct Level {
  ArrayXd arriving;
  ArrayXd loss;

  double blocks(double collection) const { return (arriving / (loss + collection)).sum(); }
  double slope(double collection) const { return (arriving / (loss + collection).square()).sum(); }
};

// Collection rate at which a level holds the given share of all blocks. The share is a convex, falling function of the rate,
// so Newton's steps from 0 never overshoot.
double collection_for(const Level& level, double share) {
  double collection = 0;
  for (int step = 0; step < 200; ++step) {
    // The step for 1 / share, which is nearly linear in the rate, is longer and equally safe.
    const double blocks = level.blocks(collection);
    const double change = (blocks / share - 1) * blocks / level.slope(collection);
    collection += change;
    if (!(change > 1e-15 * collection)) break;
  }
  return collection;
}

// Rate at which a block of the level is the emptiest of d drawn. `above`: share of fuller blocks.
double emptiest_rate(double above, double share, double d) {
  if (share < 1e-9 * above) return d * std::pow(above, d - 1);
  return (std::pow(above + share, d) - std::pow(above, d)) / share;
}

// Share of blocks at a level if d blocks are drawn: share and collection rate determine each other.
double share_with_choices(const Level& level, double above, double d) {
  double low = 0, high = std::min(1 - above, level.blocks(0)), share = high;
  for (int step = 0; step < 100; ++step) {
    const double rate = emptiest_rate(above, share, d);
    const double excess = share - level.blocks(rate);
    (excess > 0 ? high : low) = share;
    const double rate_slope = std::max(0.0, (d * std::pow(above + share, d - 1) - rate) / share);
    double next = share - excess / (1 + level.slope(rate) * rate_slope);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - share) <= 1e-14 * share;
    share = next;
    if (done || !(high > low)) break;
  }
  return share;
}

// Computes the levels from full to empty blocks.
class Descent {
 public:
  Descent(const VectorXd& born, const HotCold& pages, double c, double d)
      : hot_(c * pages.hot_rate()), cold_(c * pages.cold_rate()), d_(d), arriving_(born.array()) {
    collected_.victims = Eigen::MatrixXd::Zero(born.size(), born.size());
    collected_.c = c;
  }

  Collected run() {
    for (Index m = arriving_.size() - 1; m > 0; --m) {
      if (std::isfinite(d_) ? choose(m) : exhaust(m)) return std::move(collected_);
    }
    collected_.victims(0, 0) += arriving_(0);
    return std::move(collected_);
  }

 private:
  Level level(Index m) const {
    const ArrayXd hot = ArrayXd::LinSpaced(m + 1, 0, static_cast<double>(m));
    return {arriving_.head(m + 1), hot_ * hot + cold_ * hot.reverse()};
  }

  // Greedy: nothing is collected until all blocks are accounted for. At that level the rest is collected, and blocks that
  // fall below it are collected at once.
  bool exhaust(Index m) {
    const Level here = level(m);
    const double blocks = here.blocks(0), room = 1 - above_;
    if (blocks < room) {
      pass(m, here.arriving / here.loss, 0, blocks);
      return false;
    }
    const double collection = collection_for(here, room);
    pass(m, here.arriving / (here.loss + collection), collection, room);
    collected_.victims.row(m - 1).head(m) += arriving_.matrix().transpose();
    return true;
  }

  bool choose(Index m) {
    const Level here = level(m);
    const double share = share_with_choices(here, above_, d_);
    const double collection = emptiest_rate(above_, share, d_);
    pass(m, here.arriving / (here.loss + collection), collection, share);
    return false;
  }

  // Records the blocks of a level and passes those that lose a page to the next level.
  void pass(Index m, const ArrayXd& blocks, double collection, double share) {
    collected_.victims.row(m).head(m + 1) += collection * blocks.matrix().transpose();
    collected_.valid_pages += static_cast<double>(m) * share;
    above_ += share;
    const ArrayXd count = ArrayXd::LinSpaced(m, 1, static_cast<double>(m));
    arriving_ = hot_ * count * blocks.tail(m) + cold_ * count.reverse() * blocks.head(m);
  }

  double hot_, cold_, d_;
  double above_ = 0;
  ArrayXd arriving_;
  Collected collected_;
};

HotCold kinds_of(const WaSetting& setting) {
  return {setting.block_pages, setting.classes.writes(0), setting.classes.pages(0)};
}

bool by_age(Policy policy) { return policy == Policy::cost_benefit || policy == Policy::cost_benefit_kawaguchi; }

// Iterates generations of blocks. Unknowns: the distribution of new blocks, and the logarithm of the overwrite rate (by age:
// of the scale of the thresholds) at which blocks hold as many valid pages as are mapped.
class Generations {
 public:
  explicit Generations(const WaSetting& setting)
      : b_(setting.block_pages),
        utilisation_(setting.utilisation),
        pages_(kinds_of(setting)),
        new_blocks_(setting.frontiers, pages_) {
    if (by_age(setting.policy)) thresholds_ = age_thresholds(setting.policy, setting.block_pages);
    if (setting.policy == Policy::d_choices) d_ = setting.d;
    const double c = 1 / (utilisation_ * fifo_wa(setting.classes, utilisation_));
    // By age: starts with a full lifetime for blocks with the mean number of valid pages.
    const auto mean = static_cast<Index>(utilisation_ * static_cast<double>(b_));
    log_rate_ = thresholds_.size() == 0 ? std::log(c) : std::log(c / (1 + thresholds_(mean)));
    born_ = new_blocks_.guess(fifo_programmed_share(setting.classes, utilisation_, 0));
  }

  // True if blocks become empty in time, so that a policy that waits for it relocates nothing.
  bool victims_are_empty() const {
    const VectorXd host_only = new_blocks_.guess(pages_.hot_writes);
    const double d = std::numeric_limits<double>::infinity();
    return relocated_pages(collect_emptiest(host_only, pages_, 1 / utilisation_, d)) < 1e-12;
  }

  // Solves for distribution and rate together: fast, but the starting point must be near.
  double together() const {
    VectorXd start(b_ + 2);
    start << born_, log_rate_;
    const auto solution = fixed_point([this](const VectorXd& unknowns) { return next(unknowns); },
                                      [this](VectorXd& unknowns) { admit(unknowns); }, start, {1e-10, 1e-7, 100});
    return solution ? wa(collect(solution->head(b_ + 1), (*solution)(b_ + 1))) : unsolved();
  }

  // Solves for the rate in each generation: ten times the work, but for any starting point.
  double in_turn(int steps) const {
    double log_rate = log_rate_;
    const auto solution = fixed_point(
        [&](const VectorXd& born) {
          log_rate = balanced(born, log_rate);
          return new_blocks_.from(collect(born, log_rate));
        },
        [this](VectorXd& born) { admit(born); }, born_, {1e-10, 1e-7, steps});
    return solution ? wa(collect(*solution, balanced(*solution, log_rate))) : unsolved();
  }

 private:
  static double unsolved() { return std::numeric_limits<double>::quiet_NaN(); }
  double wa(const Collected& collected) const { return 1 / (1 - relocated_pages(collected) / static_cast<double>(b_)); }

  Collected collect(const VectorXd& born, double log_rate) const {
    const double scale = std::exp(log_rate);
    if (thresholds_.size() > 0) return collect_by_age(born, pages_, thresholds_, scale);
    return collect_emptiest(born, pages_, scale, d_);
  }

  double invalid_share(const Collected& collected) const { return 1 - collected.valid_pages / static_cast<double>(b_); }

  // More overwrites (older victims) leave fewer valid pages: invalid pages are roughly proportional to the rate.
  VectorXd next(const VectorXd& unknowns) const {
    const Collected collected = collect(unknowns.head(b_ + 1), unknowns(b_ + 1));
    VectorXd result(b_ + 2);
    result.head(b_ + 1) = new_blocks_.from(collected);
    result(b_ + 1) = unknowns(b_ + 1) + std::log((1 - utilisation_) / std::max(invalid_share(collected), 1e-6));
    return result;
  }

  double balanced(const VectorXd& born, double log_rate) const {
    const auto excess = [&](double log_c) { return invalid_share(collect(born, log_c)) - (1 - utilisation_); };
    double low = log_rate - 0.02, high = log_rate + 0.02;
    for (double step = 0.1; excess(low) > 0 && step < 50; step *= 2) low -= step;
    for (double step = 0.1; excess(high) < 0 && step < 50; step *= 2) high += step;
    return root_between(low, high, excess);
  }

  // Shares are non-negative and sum to 1; the rate stays where its exponential is finite.
  void admit(VectorXd& unknowns) const {
    auto born = unknowns.head(b_ + 1);
    born = born.cwiseMax(0).eval();
    born /= born.sum();
    if (unknowns.size() > b_ + 1) unknowns(b_ + 1) = std::clamp(unknowns(b_ + 1), log_rate_ - 20, log_rate_ + 20);
  }

  Index b_;
  double utilisation_;
  double d_ = std::numeric_limits<double>::infinity();  // infinite: greedy
  HotCold pages_;
  NewBlocks new_blocks_;
  ArrayXd thresholds_;
  VectorXd born_;
  double log_rate_ = 0;
};

double solved_wa(const WaSetting& setting) {
  const Generations generations(setting);
  const bool waits = setting.policy == Policy::greedy || setting.policy == Policy::cost_benefit_kawaguchi;
  if (waits && generations.victims_are_empty()) return 1;
  const double quick = generations.together();
  if (quick >= 1) return quick;
  // By age a generation costs O(b^3), so blocks of more than 10 pages get fewer steps.
  const int b = setting.block_pages;
  return generations.in_turn(by_age(setting.policy) ? std::min(400, 40'000 / (b * b)) : 400);
}

}  // namespace

Collected collect_emptiest(const VectorXd& born, const HotCold& pages, double c, double d) {
  return Descent(born, pages, c, d).run();
}

int largest_solved_block(const WaSetting& setting) {
  const bool apart = setting.frontiers == WaQuestion::Frontiers::host_gc;
  if (by_age(setting.policy)) return apart ? 128 : 256;
  return apart ? 256 : 1024;
}

double hot_cold_wa(const WaSetting& setting) {
  const int largest = largest_solved_block(setting);
  if (setting.block_pages <= largest) return solved_wa(setting);
  WaSetting smaller = setting;
  smaller.block_pages = largest;
  const double at_largest = solved_wa(smaller);
  smaller.block_pages = largest / 2;
  const double at_half = solved_wa(smaller);
  constexpr double kNearlyLinear = 0.02;
  if (!(std::abs(at_largest - at_half) < kNearlyLinear * at_largest)) return std::numeric_limits<double>::quiet_NaN();
  return at_largest + (at_largest - at_half) * (1 - static_cast<double>(largest) / setting.block_pages);
}

}  // namespace ftlab
