#include "models/theory/cost_benefit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/theory/numerics/binomial.h"
#include "models/theory/numerics/roots.h"

namespace ftlab {

namespace {

using Eigen::ArrayXd;
using Eigen::Index;

// Uniform writes: a block has m valid pages only before age a_m, at which fewer remain with probability P(Bin < m). So c s_m
// = P(Bin(b, exp(-c a_m)) < m) / m; the rest of the age a_0 is spent empty.
struct Levels {
  double c = 0;
  double utilisation = 0;
};

Levels levels_at(const ArrayXd& thresholds, double scale) {
  const int b = static_cast<int>(thresholds.size());
  double busy = 1.0 / b, valid = 1, empty = scale * thresholds(0);  // m = b: never collected
  const double valid_at_first = std::exp(-scale * thresholds(0));
  for (int m = 1; m < b; ++m) {
    const double left = binomial_below(b, std::exp(-scale * thresholds(m)), m);
    busy += left / m;
    valid += left;
    if (empty > 0) empty -= binomial_below(b, valid_at_first, m) / m;
  }
  if (empty > 0) empty -= binomial_below(b, valid_at_first, b) / b;
  const double c = busy + std::max(0.0, empty);
  return {c, valid / (c * b)};
}

// Two kinds of pages, each overwritten ("dying") at its own rate.
class Thinning {
 public:
  Thinning(const Eigen::VectorXd& born, const HotCold& pages)
      : born_(born), hot_rate_(pages.hot_rate()), cold_rate_(pages.cold_rate()) {
    const ArrayXd hot = ArrayXd::LinSpaced(born.size(), 0, static_cast<double>(born.size() - 1));
    hot_born_ = (born_ * hot).sum();
    hot_variance_ = (born_ * (hot - hot_born_).square()).sum();
  }

  Index block_pages() const { return born_.size() - 1; }
  double hot_born() const { return hot_born_; }
  double hot_rate() const { return hot_rate_; }
  double cold_rate() const { return cold_rate_; }

  // Mean number of valid pages at this age.
  double mean(double age) const {
    const double cold = static_cast<double>(block_pages()) - hot_born_;
    return hot_born_ * std::exp(-hot_rate_ * age) + cold * std::exp(-cold_rate_ * age);
  }

  // A time in which at most about 8 pages, of either kind, of a block with m valid pages die.
  double some_deaths(double age, Index m) const {
    const double slow = std::min(hot_rate_, cold_rate_) * static_cast<double>(m);
    return 8 / (deaths(hot_rate_, age, m) + deaths(cold_rate_, age, m) + slow);
  }

  // True if a block has m valid pages at this age with a probability that matters (within 9 standard deviations).
  bool likely(double age, Index m) const {
    const double p = std::exp(-hot_rate_ * age), q = std::exp(-cold_rate_ * age);
    const double hot = hot_born_, cold = static_cast<double>(block_pages()) - hot;
    const double variance = hot * p * (1 - p) + cold * q * (1 - q) + hot_variance_ * (p - q) * (p - q);
    return std::abs(static_cast<double>(m) - hot * p - cold * q) < 9 * std::sqrt(variance) + 3;
  }

  // Element i: probability of m valid pages at this age, i of them hot. Summed over the number k of hot pages that died.
  ArrayXd level(double age, Index m) const {
    const Index dead = block_pages() - m;
    const double p = std::exp(-hot_rate_ * age), q = std::exp(-cold_rate_ * age);
    const Eigen::ArrayXXd cold = survivors(q, m, dead);
    const ArrayXd alive = ArrayXd::LinSpaced(m + 1, 0, static_cast<double>(m));
    ArrayXd hot = powers(p, m), chance = ArrayXd::Zero(m + 1);
    for (Index k = 0; k <= dead; ++k) {
      if (k > 0) hot *= (alive + static_cast<double>(k)) * ((1 - p) / static_cast<double>(k));
      chance += born_.segment(k, m + 1) * hot * cold.col(dead - k).reverse();
    }
    return chance;
  }

 private:
  double deaths(double rate, double age, Index m) const {
    const double alive = static_cast<double>(block_pages()) * std::exp(-rate * age);
    return rate * (alive + static_cast<double>(m) * std::min(1.0, 1e4 * alive));
  }

  static ArrayXd powers(double p, Index m) {
    ArrayXd power(m + 1);
    power(0) = 1;
    for (Index i = 1; i <= m; ++i) power(i) = power(i - 1) * p;
    return power;
  }

  // (i, k): probability that i of i + k pages are still valid.
  static Eigen::ArrayXXd survivors(double p, Index m, Index dead) {
    const ArrayXd alive = ArrayXd::LinSpaced(m + 1, 0, static_cast<double>(m));
    Eigen::ArrayXXd table(m + 1, dead + 1);
    table.col(0) = powers(p, m);
    for (Index k = 1; k <= dead; ++k)
      table.col(k) = table.col(k - 1) * (alive + static_cast<double>(k)) * ((1 - p) / static_cast<double>(k));
    return table;
  }

  ArrayXd born_;
  double hot_rate_, cold_rate_;
  double hot_born_ = 0, hot_variance_ = 0;
};

// Blocks that are collected, and the sum of their ages.
struct Leaving {
  Eigen::MatrixXd victims;
  double lifetime = 0;

  void add(Index m, const ArrayXd& chance, double age) {
    victims.row(m).head(chance.size()) += chance.matrix().transpose();
    lifetime += chance.sum() * age;
  }
};

// A page of a block with m + 1 valid pages dies: rates by the number of hot pages left.
ArrayXd lose_one(const Thinning& pages, const ArrayXd& chance) {
  const Index m = chance.size() - 2;
  const ArrayXd hot = ArrayXd::LinSpaced(m + 2, 0, static_cast<double>(m + 1));
  const ArrayXd cold = hot.reverse();
  return pages.hot_rate() * (hot * chance).tail(m + 1) + pages.cold_rate() * (cold * chance).head(m + 1);
}

// Blocks older than a_m that fall from m + 1 to m valid pages before age a_{m+1} are collected at once. Four-point Gauss
// quadrature over intervals in which a few pages die; ends when no such blocks are left.
void leave_while_falling(const Thinning& pages, Index m, double from, double to, Leaving& leaving) {
  static constexpr double kNode[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
  static constexpr double kWeight[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
  for (double half = 0; from < to; from += 2 * half) {
    half = 0.5 * std::min(to - from, pages.some_deaths(from, m + 1));
    double found = 0;
    for (int point = 0; point < 4; ++point) {
      const double age = from + half * (1 + kNode[point]);
      if (!pages.likely(age, m + 1)) continue;
      const ArrayXd chance = pages.level(age, m + 1);
      leaving.add(m, lose_one(pages, chance) * (half * kWeight[point]), age);
      found += chance.sum();
    }
    if (found < 1e-16 && pages.mean(from) < static_cast<double>(m + 1)) return;
  }
}

// Like leave_while_falling(), for full blocks, which have no age limit: they stay until a page dies.
void leave_when_first_page_dies(const Thinning& pages, const Eigen::VectorXd& born, double from, Leaving& leaving) {
  const Index b = pages.block_pages();
  const ArrayXd hot = ArrayXd::LinSpaced(b + 1, 0, static_cast<double>(b));
  const ArrayXd rate = pages.hot_rate() * hot + pages.cold_rate() * hot.reverse();
  const ArrayXd left = born.array() * (-rate * from).exp();
  leaving.add(b - 1, lose_one(pages, left / rate), from);
  leaving.lifetime += (left / rate).sum();
}

}  // namespace

ArrayXd age_thresholds(WaQuestion::Policy policy, int block_pages) {
  const ArrayXd u = ArrayXd::LinSpaced(block_pages, 0, block_pages - 1) / block_pages;
  if (policy == WaQuestion::Policy::cost_benefit_kawaguchi) return 2 * u / (1 - u);
  return (1 + u) / (1 - u);
}

double cost_benefit_wa(WaQuestion::Policy policy, double utilisation, int block_pages) {
  const ArrayXd thresholds = age_thresholds(policy, block_pages);
  const auto excess = [&](double log_scale) { return levels_at(thresholds, std::exp(log_scale)).utilisation - utilisation; };
  double low = std::log(1 - utilisation), high = low;
  while (excess(low) < 0) low -= 1;
  // If blocks become empty in time, no age is high enough: then all victims are empty.
  for (int step = 0; excess(high) > 0; ++step, high += 1) {
    if (step > 40) return 1;
  }
  const double scale = std::exp(root_between(low, high, excess));
  return 1 / (levels_at(thresholds, scale).c * utilisation);
}

Collected collect_by_age(const Eigen::VectorXd& born, const HotCold& kinds, const ArrayXd& thresholds, double scale) {
  const Thinning pages(born, kinds);
  const Index b = pages.block_pages();
  Leaving leaving{Eigen::MatrixXd::Zero(b + 1, b + 1)};
  for (Index m = 0; m < b; ++m) {
    const double age = scale * thresholds(m);
    if (pages.likely(age, m)) leaving.add(m, pages.level(age, m), age);
    if (m + 1 < b) leave_while_falling(pages, m, age, scale * thresholds(m + 1), leaving);
  }
  leave_when_first_page_dies(pages, born, scale * thresholds(b - 1), leaving);

  // The sum is 1 except for quadrature errors. NaN if the thresholds are too far apart for quadrature: no answer.
  double all = leaving.victims.sum();
  if (std::abs(all - 1) > 1e-3) all = std::numeric_limits<double>::quiet_NaN();
  leaving.victims /= all;
  const double lifetime = leaving.lifetime / all;
  // Pages that do not leave with their block die in it, each kind at its rate.
  const ArrayXd count = ArrayXd::LinSpaced(b + 1, 0, static_cast<double>(b));
  const double hot_left = leaving.victims.colwise().sum().dot(count.matrix());
  const double left = leaving.victims.rowwise().sum().dot(count.matrix());
  const double hot = (pages.hot_born() - hot_left) / pages.hot_rate();
  const double cold = (static_cast<double>(b) - pages.hot_born() - (left - hot_left)) / pages.cold_rate();
  return {std::move(leaving.victims), (hot + cold) / lifetime, lifetime};
}

}  // namespace ftlab
