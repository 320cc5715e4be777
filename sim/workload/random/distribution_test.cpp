// Each distribution against its formula over ten million draws, by Pearson's chi-square at a significance of 1 in 10,000.
// The seeds are fixed, so a passing test keeps passing.
#include "sim/workload/random/distribution.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/core/check.h"
#include "sim/testing/test.h"
#include "sim/workload/testing/fit.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kDraws = 10'000'000;

using testing::kOneInTenThousand;
using Counts = std::vector<std::uint64_t>;

Spread spread_of(Spread::Kind kind, double parameter, std::optional<double> centre = 0) {
  Spread spread;
  spread.kind = kind;
  spread.parameter = parameter;
  spread.centre = centre;
  return spread;
}

Counts drawn(const Spread& spread, std::uint64_t count, std::uint64_t draws = kDraws, std::uint64_t block_bytes = 4096) {
  const Distribution distribution(spread, Direction::write, count, block_bytes, 0);
  RandomStream random(1, "fit");
  Counts seen(count);
  for (std::uint64_t i = 0; i < draws; ++i) ++seen.at(distribution.draw(random));
  return seen;
}

// Converts counts by place to counts by rank.
Counts by_rank(const Counts& seen, std::uint64_t origin = 0) {
  const Scatter scatter(seen.size(), origin);
  Counts ranks(seen.size());
  for (std::uint64_t rank = 0; rank < seen.size(); ++rank) ranks[rank] = seen[scatter.place(rank)];
  return ranks;
}

double misfit(const Counts& seen, const std::function<double(std::uint64_t)>& probability) {
  std::vector<double> expected(seen.size());
  for (std::uint64_t i = 0; i < seen.size(); ++i) expected[i] = probability(i) * static_cast<double>(kDraws);
  return testing::misfit(seen, expected);
}

// Integral up to x of the distribution function of a sum of 12 uniform numbers minus 6 (Irwin and Hall, 1927): 1/13! sum
// over k of (-1)^k (12 choose k) (x + 6 - k)^13. The upper half uses symmetry, because the terms cancel there.
double integral_of_12(double x) {
  if (x > 0) return x + integral_of_12(-x);
  double sum = 0, choose = 1;
  for (int k = 0; k <= 12 && x + 6 - k > 0; ++k) {
    sum += (k % 2 == 0 ? 1 : -1) * choose * std::pow(x + 6 - k, 13);
    choose = choose * (12 - k) / (k + 1);
  }
  return sum / 6227020800;
}

// The distribution function of that sum plus a uniform number of width `width`.
double wide_normal(double x, double width) {
  return (integral_of_12(x + width / 2) - integral_of_12(x - width / 2)) / width;
}

}  // namespace

TEST_CASE("ten million draws of zipf fit the law of its ranks", "[workload]") {
  const std::uint64_t count = 10'000;
  double sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) sum += std::pow(static_cast<double>(i + 1), -1.2);
  const auto law = [&](std::uint64_t i) { return std::pow(static_cast<double>(i + 1), -1.2) / sum; };
  CHECK(misfit(by_rank(drawn(spread_of(Spread::Kind::zipf, 1.2), count)), law) < kOneInTenThousand);
}

TEST_CASE("ten million draws of pareto fit the self-similar law", "[workload]") {
  const std::uint64_t count = 10'000;
  const double b = std::log(0.8) / std::log(0.2);
  const auto law = [&](double h_exponent) {
    return [=](std::uint64_t i) {
      return std::pow(static_cast<double>(i + 1) / count, h_exponent) - std::pow(static_cast<double>(i) / count, h_exponent);
    };
  };
  const Counts ranks = by_rank(drawn(spread_of(Spread::Kind::pareto, 0.2), count));
  CHECK(misfit(ranks, law(b)) < kOneInTenThousand);
  CHECK(misfit(ranks, law(b * 1.02)) > kOneInTenThousand);  // the test detects a slightly different law
}

TEST_CASE("ten million draws of normal fit the sum of thirteen uniform numbers", "[workload]") {
  const std::uint64_t count = 10'000;
  const auto law = [&](double percent) {
    return [=](std::uint64_t rank) {  // counted upwards from the middle with wrap-around, in twelfths of the blocks
      const double twelfth = static_cast<double>(count) / 12, width = percent / 100 * 12;
      double p = 0;
      for (const double turn : {-1.0, 0.0}) {
        const double from = static_cast<double>(rank) + turn * static_cast<double>(count);
        p += wide_normal((from + 1) / twelfth, width) - wide_normal(from / twelfth, width);
      }
      return p;
    };
  };
  const Counts ranks = by_rank(drawn(spread_of(Spread::Kind::normal, 20), count));
  CHECK(misfit(ranks, law(20)) < kOneInTenThousand);
  CHECK(misfit(ranks, law(22)) > kOneInTenThousand);  // the test detects a slightly different law
  CHECK(misfit(by_rank(drawn(spread_of(Spread::Kind::normal, 90), count)), law(50)) < kOneInTenThousand);
}

TEST_CASE("powers match those of the C library", "[workload]") {
  RandomStream random(1, "powers");
  for (const double exponent : {0.05, 0.7, 1.0, 7.2, 458.0}) {
    const Power power(exponent);
    double worst = 0;
    for (int i = 0; i < 20'000; ++i) {
      const double x = (static_cast<double>(random.bits() >> (11 + i % 40)) + 0.5) * 0x1p-53;
      const double expected = std::pow(x, exponent);
      if (expected > 1e-290) worst = std::max(worst, std::abs(power.of(x) / expected - 1));
    }
    CHECK(worst < 1e-13 * (1 + exponent));
  }
}

TEST_CASE("ten million draws of zones fit their shares", "[workload]") {
  Spread spread;
  spread.kind = Spread::Kind::zoned;
  spread.zones[1] = {{50, 5}, {30, 15}, {20, 80}};
  const std::uint64_t count = 10'000;
  const auto law = [&](std::uint64_t i) { return i < 500 ? 0.5 / 500 : i < 2000 ? 0.3 / 1500 : 0.2 / 8000; };
  CHECK(misfit(drawn(spread, count), law) < kOneInTenThousand);
}

TEST_CASE("ten million draws of random are uniform", "[workload]") {
  CHECK(misfit(drawn({}, 10'000), [](std::uint64_t) { return 1.0 / 10'000; }) < kOneInTenThousand);
}

TEST_CASE("a zone in bytes begins where the one before it ends", "[workload]") {
  Spread spread;
  spread.kind = Spread::Kind::zoned_abs;
  spread.zones[1] = {{60, 10 * 4096}, {40, 30 * 4096}};
  const Counts seen = drawn(spread, 100, 100'000);
  CHECK(std::count(seen.begin(), seen.begin() + 40, 0) == 0);
  CHECK(std::count(seen.begin() + 40, seen.end(), 0) == 60);
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < 10; ++i) first += seen[i];
  CHECK(std::abs(static_cast<double>(first) - 60'000) < 4 * std::sqrt(100'000 * 0.6 * 0.4));
}

TEST_CASE("a zone smaller than a block is the block in which it begins", "[workload]") {
  Spread spread;
  spread.kind = Spread::Kind::zoned;
  spread.zones[1] = {{50, 1}, {50, 99}};
  const Counts seen = drawn(spread, 3, 10'000);
  CHECK(seen[0] > 4000);
  CHECK(*std::min_element(seen.begin(), seen.end()) > 0);
}

TEST_CASE("scattered ranks are a permutation, for every count", "[workload]") {
  for (std::uint64_t count = 1; count <= 300; ++count) {
    const Scatter scatter(count, count / 3);
    std::vector<bool> seen(count);
    for (std::uint64_t rank = 0; rank < count; ++rank) {
      const std::uint64_t place = scatter.place(rank);
      REQUIRE(place < count);
      REQUIRE_FALSE(seen[place]);
      seen[place] = true;
    }
  }
}

TEST_CASE("scattering by multiplication is exact up to 2 to the 32 blocks", "[workload]") {
  for (const std::uint64_t count :
       {std::uint64_t{1} << 32, (std::uint64_t{1} << 32) - 1, std::uint64_t{4'294'967'291}, std::uint64_t{3'000'000'019}}) {
    const Scatter scatter(count, 7);
    const std::uint64_t stride = (scatter.place(1) + count - 7) % count;
    RandomStream random(1, "ranks");
    std::size_t wrong = 0;
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t rank = random.below(count);
      wrong += scatter.place(rank) != (rank * stride % count + 7) % count;  // the product is below 2^64
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the most frequent block lies at the centre", "[workload]") {
  for (const double centre : {0.0, 0.25, 0.5, 1.0}) {
    const Counts seen = drawn(spread_of(Spread::Kind::zipf, 1.2, centre), 1000, 100'000);
    const auto top = std::max_element(seen.begin(), seen.end()) - seen.begin();
    CHECK(top == std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(1000 * centre), 999));
  }
}

TEST_CASE("the hottest blocks are not adjacent", "[workload]") {
  const Scatter scatter(16384, 0);
  for (std::uint64_t rank = 0; rank < 20; ++rank) {
    const std::uint64_t a = scatter.place(rank), b = scatter.place(rank + 1);
    CHECK(std::max(a, b) - std::min(a, b) > 1000);
  }
}
