#include "models/nand/reliability/ecc.h"

#include <cmath>

#include "sim/core/check.h"
#include "sim/core/signature.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

CellsConfig bch(std::uint32_t correctable, std::vector<RetryStep> retry = {}) {
  CellsConfig config;
  config.correctable_bits = correctable;
  config.retry = std::move(retry);
  return config;
}

// Sums C(n, k) for p = 1/2 as integers, exact up to 2^64.
double fair_tail(std::uint32_t n, std::uint32_t limit) {
  std::uint64_t ways = 1, sum = 0;
  for (std::uint32_t k = 0; k <= n; ++k) {
    if (k > limit) sum += ways;
    ways = ways * (n - k) / (k + 1);
  }
  return static_cast<double>(sum) / std::exp2(n);
}

// Sums all terms in long double, smallest first.
double summed_tail(std::uint32_t n, std::uint32_t limit, double p) {
  long double sum = 0;
  for (std::uint32_t k = n; k > limit; --k) {
    sum += std::exp(std::lgamma(n + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(n - k + 1.0L) +
                    k * std::log((long double)p) + (n - k) * std::log1p(-(long double)p));
  }
  return static_cast<double>(sum);
}

}  // namespace

TEST_CASE("the binomial tail at p = 1/2 equals the exact count of combinations") {
  for (const std::uint32_t n : {1u, 2u, 7u, 20u, 40u}) {
    for (std::uint32_t limit = 0; limit < n; ++limit) {
      INFO(limit << " of " << n);
      CHECK(BinomialTail(n, limit)(0.5) == Approx(fair_tail(n, limit)).epsilon(1e-13));
    }
  }
}

TEST_CASE("the binomial tail of a codeword equals the sum of all terms") {
  for (const std::uint32_t limit : {1u, 24u, 40u, 120u}) {
    for (const double p : {1e-6, 1e-4, 4e-4, 1e-3, 2e-3, 4e-3, 1e-2, 0.1}) {
      INFO("more than " << limit << " at " << p);
      CHECK(BinomialTail(8640, limit)(p) == Approx(summed_tail(8640, limit, p)).epsilon(1e-9));
    }
  }
}

TEST_CASE("the binomial tail is 0 at p = 0 and 1 at p = 1") {
  CHECK(BinomialTail(8640, 24)(0) == 0);
  CHECK(BinomialTail(8640, 24)(1) == 1);
  CHECK(BinomialTail(8640, 24)(0.5) == 1);
  CHECK(BinomialTail(8640, 0)(1e-3) == Approx(1 - std::pow(1 - 1e-3, 8640)));
  CHECK_THROWS_AS(BinomialTail(24, 24), CheckFailed);
}

TEST_CASE("a page fails when one of its codewords does") {
  for (const std::uint32_t codewords : {1u, 2u, 3u, 4u, 5u, 7u, 16u}) {
    const Ecc ecc(bch(24), 8640, codewords);
    for (const double rate : {0x1p-10, 0x1p-9, 0x1p-8}) {
      CAPTURE(codewords, rate);
      const double p = BinomialTail(8640, 24)(rate);
      CHECK(ecc.failure(rate, 0) == Approx(1 - std::pow(1 - p, codewords)).epsilon(1e-9));
    }
  }
}

TEST_CASE("a page below a failure threshold needs one more retry than a page above it") {
  const Ecc ecc(bch(24, {{500, 24}, {250, 24}}), 8640, 4);
  const double rate = 0x1p-8;
  for (std::uint32_t step = 0; step <= 2; ++step) {
    const auto threshold = static_cast<std::uint64_t>(ecc.failure(rate, step) * 0x1p64);
    INFO("step " << step << ", threshold " << threshold);
    REQUIRE(threshold > 4096);
    CHECK(ecc.steps(rate, threshold - 4096) == step + 1);  // a double holds 53 bits of the threshold
    CHECK(ecc.steps(rate, threshold + 4096) == step);
  }
  CHECK(ecc.retries() == 2);
}

TEST_CASE("a higher error rate never helps a page, and a later retry never fails more often") {
  const Ecc ecc(bch(24, {{700, 24}, {400, 24}, {400, 60}}), 8640, 4);
  for (double rate = 0x1p-12; rate < 0.2; rate *= 1.003) {
    for (std::uint32_t step = 0; step < 3; ++step) {
      REQUIRE(ecc.failure(rate * 1.003, step) >= ecc.failure(rate, step));
      REQUIRE(ecc.failure(rate, step + 1) <= ecc.failure(rate, step));
    }
  }
  for (std::uint64_t chance = 1; chance != 0; chance <<= 1) {
    std::uint32_t last = 0;
    for (double rate = 0x1p-12; rate < 0.2; rate *= 1.05) {
      REQUIRE(ecc.steps(rate, chance) >= last);
      last = ecc.steps(rate, chance);
    }
  }
}

TEST_CASE("soft decisions correct what hard ones cannot") {
  const Ecc ecc(bch(40, {{1000, 100, 6}}), 9000, 4);
  CHECK(ecc.failure(0x1p-7, 0) > 0.99);
  CHECK(ecc.failure(0x1p-7, 1) < 0.01);
}

TEST_CASE("the tables of rates and failures are bit-identical on every compiler") {
  CellsConfig config = bch(24, {{600, 24}, {350, 40}});
  config.fresh_per_pbit = 2'000'000'000;
  config.wear_cycles = 3000;
  config.fresh_exponent = 1900;
  config.retention_per_pbit = 40'000'000'000;
  config.retention_time_exponent = 600;
  const Ecc ecc(config, 8640, 4);
  const Cells cells(config);
  Signature signature;
  for (double rate = 0x1p-14; rate < 0.1; rate *= 1.0078125) {
    for (std::uint32_t step = 0; step < 3; ++step) signature.add(std::bit_cast<std::uint64_t>(ecc.failure(rate, step)));
  }
  for (std::uint32_t erases = 0; erases < 5000; erases += 7)
    signature.add(std::bit_cast<std::uint64_t>(cells.wear(erases).fresh));
  for (std::uint32_t s = 1; s < 1'000'000'000; s += s / 50 + 1) signature.add(std::bit_cast<std::uint64_t>(cells.passed(s)));
  CHECK(signature.text() == "c6e5caf047a4d699");
}
