#include "sim/workload/random/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/core/check.h"
#include "sim/core/signature.h"
#include "sim/testing/test.h"
#include "sim/workload/testing/fit.h"

namespace ftlab {
namespace {

using testing::kOneInTenThousand;
using testing::misfit;

constexpr std::uint64_t kDraws = 10'000'000;

std::vector<std::uint64_t> drawn(const Zipf& zipf, const char* name) {
  RandomStream random(1, name);
  std::vector<std::uint64_t> seen(zipf.items());
  for (std::uint64_t i = 0; i < kDraws; ++i) ++seen.at(zipf.draw(random));
  return seen;
}

// The law by its definition, computed with the C library.
std::vector<double> expected_counts(std::uint64_t items, double exponent) {
  std::vector<double> expected(items);
  double sum = 0;
  for (std::uint64_t i = items; i-- > 0;) sum += expected[i] = std::pow(static_cast<double>(i + 1), -exponent);
  for (double& count : expected) count *= static_cast<double>(kDraws) / sum;
  return expected;
}

double misfit(std::uint64_t items, double exponent) {
  return misfit(drawn(Zipf(items, exponent), "fit"), expected_counts(items, exponent));
}

TEST_CASE("ten_million_draws_fit_the_law_by_chi_square") {
  CHECK(misfit(1000, 0.8) < kOneInTenThousand);
  CHECK(misfit(1000, 1.0) < kOneInTenThousand);
  CHECK(misfit(100'000, 1.2) < kOneInTenThousand);
  CHECK(misfit(50, 0) < kOneInTenThousand);
}

TEST_CASE("wide_bins_and_steep_laws_fit_by_chi_square") {
  CHECK(misfit(1 << 22, 0.9) < kOneInTenThousand);
  CHECK(misfit(100'000, 0) < kOneInTenThousand);
  CHECK(misfit(10'000, 3) < kOneInTenThousand);
}

TEST_CASE("the_chi_square_test_finds_a_slightly_different_law") {
  const std::vector<std::uint64_t> seen = drawn(Zipf(1000, 0.8), "other");
  CHECK(misfit(seen, expected_counts(1000, 0.803)) > kOneInTenThousand);
}

TEST_CASE("a_law_over_2_to_the_32_items_reaches_its_upper_half") {
  const std::uint64_t items = std::uint64_t{1} << 32;
  const Zipf zipf(items, 0.5);
  RandomStream random(1, "half");
  std::uint64_t upper = 0, highest = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const std::uint64_t rank = zipf.draw(random);
    highest = std::max(highest, rank);
    upper += rank >= items / 2 ? 1 : 0;
  }
  CHECK(highest < items);
  // The sum of 1/sqrt i for i = 1 to n is about 2 sqrt n + zeta(1/2) for large n.
  const auto sum = [](double n) { return 2 * std::sqrt(n) - 1.4603545; };
  const double share = 1 - sum(0x1p31) / sum(0x1p32);
  const double deviation = std::sqrt(share * (1 - share) * static_cast<double>(kDraws));
  CHECK(std::abs(static_cast<double>(upper) - share * static_cast<double>(kDraws)) < 4 * deviation);
}

TEST_CASE("every_rank_of_a_small_law_and_no_other_is_drawn") {
  for (const std::uint64_t items : {1, 2, 3, 63, 64, 65, 127, 129}) {
    const Zipf zipf(items, 0.5);
    RandomStream random(1, "all");
    std::vector<std::uint64_t> seen(items);
    for (int i = 0; i < 100'000; ++i) ++seen.at(zipf.draw(random));
    CHECK(*std::min_element(seen.begin(), seen.end()) > 0);
  }
}

TEST_CASE("a_law_steeper_than_doubles_draws_only_the_first_rank") {
  for (const double exponent : {1100.0, std::numeric_limits<double>::max()}) {
    const Zipf zipf(1'000'000, exponent);
    RandomStream random(1, "steep");
    for (int i = 0; i < 10'000; ++i) REQUIRE(zipf.draw(random) == 0);
  }
}

TEST_CASE("the_draws_are_pinned") {
  Signature signature;
  for (const double exponent : {0.0, 0.8, 1.0, 1.2, 2.5}) {
    const Zipf zipf(1 << 24, exponent);
    RandomStream random(1, "pinned");
    for (int i = 0; i < 100'000; ++i) signature.add(zipf.draw(random));
  }
  CHECK(signature.text() == "3d4cc8b6c3748b0c");
}

TEST_CASE("a_law_that_does_not_exist_is_a_programming_error") {
  CHECK_THROWS_AS(Zipf(0, 1), CheckFailed);
  CHECK_THROWS_AS(Zipf((std::uint64_t{1} << 32) + 1, 1), CheckFailed);
  CHECK_THROWS_AS(Zipf(10, -0.1), CheckFailed);
  CHECK_THROWS_AS(Zipf(10, std::numeric_limits<double>::infinity()), CheckFailed);
  CHECK_THROWS_AS(Zipf(10, std::nan("")), CheckFailed);
}

}  // namespace
}  // namespace ftlab
