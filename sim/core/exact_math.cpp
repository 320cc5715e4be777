#include "sim/core/exact_math.h"

#include <array>
#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ftlab {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0, "each operation must round to 64 bits");

constexpr int kMantissaBits = 52;
constexpr int kBias = 1023;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// log 2 in two parts. The high one ends in 20 zero bits, so that its product with any exponent is exact.
constexpr double kLog2High = 0x1.62e42fefp-1;
constexpr double kLog2Low = 0x1.473de6af278edp-34;
constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;

// 2^power. REQUIRES: it is a normal number.
double two_to(int power) { return std::bit_cast<double>(static_cast<std::uint64_t>(power + kBias) << kMantissaBits); }

// Polynomial with coefficients `c` (c[0] is constant), by Horner's scheme.
template <std::size_t N>
double series(const std::array<double, N>& c, double x) {
  double sum = c[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

// Coefficients 1/3, 1/5, 1/7 and so on: the inverse hyperbolic tangent after its first term.
constexpr auto kOddInverses = [] {
  std::array<double, 11> c{};
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = 1.0 / static_cast<double>(2 * i + 3);
  return c;
}();

// Coefficients 1/2!, 1/3!, 1/4! and so on; factorials up to 18! are exact.
constexpr auto kInverseFactorials = [] {
  std::array<double, 12> c{};
  double factorial = 1;
  for (std::size_t i = 0; i < c.size(); ++i) {
    factorial *= static_cast<double>(i + 2);
    c[i] = 1.0 / factorial;
  }
  return c;
}();

// x = mantissa * 2^exponent with the mantissa between sqrt(1/2) and sqrt(2).
struct Split {
  double mantissa;
  int exponent;
};

Split split(double x) {
  int exponent = 0;
  if (x < DBL_MIN) {
    x *= 0x1p54;
    exponent = -54;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
  exponent += static_cast<int>(bits >> kMantissaBits) - kBias + 1;
  const double mantissa = std::bit_cast<double>(fraction | std::uint64_t{kBias - 1} << kMantissaBits);  // in [1/2, 1)
  if (mantissa < kSqrtHalf) return {mantissa * 2, exponent - 1};
  return {mantissa, exponent};
}

}  // namespace

double exact_log(double x) {
  if (x == 0) return -kInfinity;
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x == kInfinity) return x;
  const Split part = split(x);
  // log m = 2 atanh s with s = (m - 1) / (m + 1), at most 0.172; the first omitted term is below 2^-62 of the sum.
  const double above = part.mantissa - 1;
  const double s = above / (2 + above);
  const double square = s * s;
  const double tail = s * square * series(kOddInverses, square);
  const double exponent = part.exponent;
  return exponent * kLog2High + (2 * s + (2 * tail + exponent * kLog2Low));
}

double exact_exp(double x) {
  if (x > 709.79) return kInfinity;
  if (x < -745.14) return 0;
  if (x != x) return x;
  // x = power * log 2 + r with r at most 0.347; the first omitted term is below 2^-57.
  const int power = static_cast<int>(x * 0x1.71547652b82fep+0 + (x < 0 ? -0.5 : 0.5));
  const double r = (x - power * kLog2High) - power * kLog2Low;
  const double sum = 1 + (r + r * r * series(kInverseFactorials, r));
  const int half = power / 2;  // 2^power may be out of the range of normal numbers
  return sum * two_to(half) * two_to(power - half);
}

}  // namespace ftlab
