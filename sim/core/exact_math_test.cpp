#include "sim/core/exact_math.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/core/random.h"
#include "sim/core/signature.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Distance of two finite numbers of the same sign, in units in the last place.
std::uint64_t ulps(double a, double b) {
  const auto x = std::bit_cast<std::int64_t>(a), y = std::bit_cast<std::int64_t>(b);
  return static_cast<std::uint64_t>(x > y ? x - y : y - x);
}

// Uniform in [0, 1), 53 bits.
double uniform(RandomStream& random) { return static_cast<double>(random.bits() >> 11) * 0x1p-53; }

std::uint64_t worst_log(double low, double high) {
  RandomStream random(1, "log");
  std::uint64_t worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = low + (high - low) * uniform(random);
    worst = std::max(worst, ulps(exact_log(x), std::log(x)));
  }
  return worst;
}

std::uint64_t worst_exp(double low, double high) {
  RandomStream random(1, "exp");
  std::uint64_t worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = low + (high - low) * uniform(random);
    worst = std::max(worst, ulps(exact_exp(x), std::exp(x)));
  }
  return worst;
}

TEST_CASE("exact_log_is_within_4_ulp_of_the_library") {
  CHECK(worst_log(0x1p-1022, 0x1p-1000) <= 4);
  CHECK(worst_log(0, 1) <= 4);
  CHECK(worst_log(0.7, 1.5) <= 4);
  CHECK(worst_log(1, 1 + 0x1p-20) <= 4);
  CHECK(worst_log(1 - 0x1p-20, 1) <= 4);
  CHECK(worst_log(1, 0x1p32) <= 4);
  CHECK(worst_log(1, 0x1p1023) <= 4);
}

TEST_CASE("exact_log_of_integers_and_subnormals_is_within_4_ulp") {
  std::uint64_t worst = 0;
  for (int i = 2; i < 100'000; ++i) worst = std::max(worst, ulps(exact_log(i), std::log(i)));
  for (double x = 0x1p-1074; x < 0x1p-1022; x *= 1.75) worst = std::max(worst, ulps(exact_log(x), std::log(x)));
  CHECK(worst <= 4);
}

TEST_CASE("exact_exp_is_within_4_ulp_of_the_library") {
  CHECK(worst_exp(-708, 709.7) <= 4);
  CHECK(worst_exp(-50, 0) <= 4);
  CHECK(worst_exp(-1, 1) <= 4);
  CHECK(worst_exp(-0x1p-30, 0x1p-30) <= 4);
  CHECK(worst_exp(-745, -708) <= 4);
}

TEST_CASE("exact_log_and_exact_exp_have_the_special_values_of_the_standard") {
  CHECK(exact_log(1) == 0);
  CHECK(exact_log(0) == -kInfinity);
  CHECK(exact_log(kInfinity) == kInfinity);
  CHECK(std::isnan(exact_log(-1)));
  CHECK(std::isnan(exact_log(std::nan(""))));
  CHECK(exact_exp(0) == 1);
  CHECK(exact_exp(-kInfinity) == 0);
  CHECK(exact_exp(kInfinity) == kInfinity);
  CHECK(exact_exp(709.78) < kInfinity);
  CHECK(exact_exp(709.785) == kInfinity);
  CHECK(exact_exp(-745.13) > 0);
  CHECK(exact_exp(-745.135) == 0);
  CHECK(std::isnan(exact_exp(std::nan(""))));
}

TEST_CASE("the_bits_of_exact_log_and_exact_exp_are_pinned") {
  RandomStream random(1, "pinned");
  Signature signature;
  for (int i = 0; i < 50'000; ++i) {
    const double x = 1400 * uniform(random) - 700;
    const double positive = std::bit_cast<double>(random.below(0x7ff0000000000000));
    signature.add(std::bit_cast<std::uint64_t>(exact_exp(x)));
    signature.add(std::bit_cast<std::uint64_t>(exact_log(positive)));
  }
  CHECK(signature.text() == "92dad85cc4b0f07f");
}

}  // namespace
}  // namespace ftlab
