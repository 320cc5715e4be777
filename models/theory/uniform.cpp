#include "models/theory/uniform.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/theory/cost_benefit.h"
#include "models/theory/fifo_classes.h"
#include "models/theory/numerics/binomial.h"
#include "models/theory/numerics/roots.h"

namespace ftlab {
namespace {

// A at the overwrite rate for which the blocks hold as many valid pages as are mapped. No policy here is worse than random
// victims (A = 1 / (1 - utilisation)) or better than A = 1.
template <class ValidPages>
double balanced_wa(double utilisation, int block_pages, const ValidPages& valid_pages) {
  const double mapped = utilisation * block_pages;
  const double c = root_between((1 - utilisation) / utilisation, 1 / utilisation,
                                [&](double rate) { return valid_pages(rate) - mapped; });
  return 1 / (c * utilisation);
}

// Share Q of blocks with k or more valid pages, if `above` have more than k: c k (Q - above) = 1 - Q^d. The left side minus
// the right is convex and rising, so Newton's steps from above never overshoot.
double share_from(double ck, double above, double d) {
  double share = std::min(1.0, above + 1 / ck);
  for (int step = 0; step < 200; ++step) {
    const double power = std::pow(share, d - 1);
    const double change = (ck * (share - above) - 1 + share * power) / (ck + d * power);
    share -= change;
    if (change <= 1e-16) break;
  }
  return std::max(share, above);
}

// Blocks that enter the window with k or more valid pages pass level k unless collected: c k x_k = P(k or more), down to the
// level where the window is full.
double valid_pages_with_window(double c, int block_pages, double window) {
  const double age = 1 - window;
  const Eigen::ArrayXd entering = binomial(block_pages, std::exp(-c * age));
  double outside = -block_pages * std::expm1(-c * age) / c;
  double reach = 0, room = window;
  for (int k = block_pages; k > 0 && room > 0; --k) {
    reach += entering(k);
    const double blocks = std::min(room, reach / (c * k));
    outside += k * blocks;
    room -= blocks;
  }
  return outside;
}

}  // namespace

double random_wa(double utilisation) { return 1 / (1 - utilisation); }

double greedy_wa(double utilisation, int block_pages) {
  // Above the victims' level j, c k s_k = 1; s_j fills the shares up to 1. Both sums run over k > j. With all of level j,
  // blocks would hold (count + 1) / (inverse + 1/j) valid pages: j is the highest level for which that is enough.
  const double mapped = utilisation * block_pages;
  double inverse = 0;
  for (int j = block_pages - 1; j > 0; --j) {
    const double count = block_pages - j;
    inverse += 1.0 / (j + 1);
    if (count + 1 > mapped * (inverse + 1.0 / j)) continue;
    const double c = (count - j * inverse) / (mapped - j);
    return 1 / (c * utilisation);
  }
  return 1;  // there are always empty blocks
}

double d_choices_wa(double utilisation, int block_pages, double d) {
  return balanced_wa(utilisation, block_pages, [&](double c) {
    double share = 0, valid = 0;
    for (int k = block_pages; k > 0; --k) {
      share = share_from(c * k, share, d);
      valid += (1 - std::pow(share, d)) / c;
    }
    return valid;
  });
}

double windowed_greedy_wa(double utilisation, int block_pages, double window) {
  return balanced_wa(utilisation, block_pages, [&](double c) { return valid_pages_with_window(c, block_pages, window); });
}

double uniform_wa(const WaSetting& setting) {
  const double utilisation = setting.utilisation;
  const int block_pages = setting.block_pages;
  switch (setting.policy) {
    case WaQuestion::Policy::greedy: return greedy_wa(utilisation, block_pages);
    case WaQuestion::Policy::random: return random_wa(utilisation);
    case WaQuestion::Policy::d_choices: return d_choices_wa(utilisation, block_pages, setting.d);
    case WaQuestion::Policy::fifo: return fifo_wa(one_class(), utilisation);
    case WaQuestion::Policy::windowed_greedy: return windowed_greedy_wa(utilisation, block_pages, setting.window);
    case WaQuestion::Policy::cost_benefit:
    case WaQuestion::Policy::cost_benefit_kawaguchi:
    case WaQuestion::Policy::other: break;  // never called for `other`
  }
  return cost_benefit_wa(setting.policy, utilisation, block_pages);
}

namespace {

double pool_wa(const WaSetting& setting, Eigen::Index kind, double blocks) {
  WaSetting pool = setting;
  pool.utilisation = setting.utilisation * setting.classes.pages(kind) / blocks;
  return pool.utilisation < 1 ? uniform_wa(pool) : std::numeric_limits<double>::infinity();
}

}  // namespace

double pools_wa(const WaSetting& setting) {
  const double hot_writes = setting.classes.writes(0);
  return hot_writes * pool_wa(setting, 0, setting.hot_blocks) +
         (1 - hot_writes) * pool_wa(setting, 1, 1 - setting.hot_blocks);
}

}  // namespace ftlab
