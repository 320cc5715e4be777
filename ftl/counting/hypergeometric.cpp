#include "ftl/counting/hypergeometric.h"

#include <algorithm>
#include <array>

#include "sim/core/check.h"
#include "sim/core/exact_math.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kFew = 32;  // drawn one by one

// ln n!: a table, and beyond it Stirling's series, whose next term is below 1e-15.
double log_factorial(std::uint32_t n) {
  constexpr std::uint32_t kListed = 256;
  static const std::array<double, kListed> kTable = [] {
    std::array<double, kListed> table{};
    for (std::uint32_t i = 2; i < kListed; ++i) table[i] = table[i - 1] + exact_log(i);
    return table;
  }();
  if (n < kListed) return kTable[n];
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  const double x = n;
  return (x + 0.5) * exact_log(x) - x + kHalfLogTwoPi + 1 / (12 * x) - 1 / (360 * x * x * x);
}

double log_choose(std::uint32_t n, std::uint32_t k) { return log_factorial(n) - log_factorial(k) - log_factorial(n - k); }

std::uint32_t draw_one_by_one(std::uint32_t all, std::uint32_t marked, std::uint32_t taken, RandomStream& random) {
  std::uint32_t found = 0;
  for (; taken > 0; --taken, --all) found += random.below(all) < marked - found;
  return found;
}

// Inversion, beginning with the most likely number and going on to both sides: a few standard deviations of steps.
std::uint32_t draw_from_mode(std::uint32_t all, std::uint32_t marked, std::uint32_t taken, RandomStream& random) {
  const std::uint32_t least = marked + taken > all ? marked + taken - all : 0, most = std::min(marked, taken);
  const auto mode = static_cast<std::uint32_t>((std::uint64_t{marked} + 1) * (taken + 1) / (std::uint64_t{all} + 2));
  const double at_mode =
      exact_exp(log_choose(marked, mode) + log_choose(all - marked, taken - mode) - log_choose(all, taken));
  double left = static_cast<double>(random.bits() >> 11) * 0x1p-53 - at_mode;
  double above = at_mode, below = at_mode;
  FTLAB_DCHECK(mode >= least && mode <= most, "the most likely number is not possible");
  for (std::uint32_t high = mode, low = mode; left >= 0 && (high < most || low > least);) {
    if (high < most) {
      const double k = high++;
      above *= (marked - k) * (taken - k) / ((k + 1) * (static_cast<double>(all) - marked - taken + k + 1));
      if ((left -= above) < 0) return high;
    }
    if (low > least) {
      const double k = low--;
      below *= k * (static_cast<double>(all) - marked - taken + k) / ((marked - k + 1) * (taken - k + 1));
      if ((left -= below) < 0) return low;
    }
  }
  return mode;
}

}  // namespace

// By symmetry, the fewer of those taken and left, and of those marked and not, are drawn.
std::uint32_t draw_hypergeometric(std::uint32_t all, std::uint32_t marked, std::uint32_t taken, RandomStream& random) {
  FTLAB_DCHECK(marked <= all && taken <= all, "more items are marked or taken than there are");
  if (taken > all - taken) return marked - draw_hypergeometric(all, marked, all - taken, random);
  if (marked > all - marked) return taken - draw_hypergeometric(all, all - marked, taken, random);
  if (taken <= kFew) return draw_one_by_one(all, marked, taken, random);
  if (marked <= kFew) return draw_one_by_one(all, taken, marked, random);
  return draw_from_mode(all, marked, taken, random);
}

}  // namespace ftlab
