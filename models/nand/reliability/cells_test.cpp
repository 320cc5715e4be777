#include "models/nand/reliability/cells.h"

#include <cmath>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Twice the fresh errors at 3000 cycles; exponents of 2, 1 and 1/2, so that expected values can be computed by hand.
CellsConfig squares() {
  CellsConfig config;
  config.fresh_per_pbit = 1'000'000'000;  // 1e-6
  config.wear_cycles = 3000;
  config.fresh_exponent = 2000;
  config.retention_per_pbit = 20'000'000'000;  // 2e-5
  config.retention_wear_exponent = 1000;
  config.retention_time_exponent = 500;
  config.disturb_per_pbit = 1'600'000;  // 1.6e-9
  config.disturb_wear_exponent = 2000;
  config.kinds_permille = {500, 1500};
  config.slc_permille = 10;
  config.correctable_bits = 24;
  return config;
}

constexpr std::uint32_t kDay = 86'400;

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

TEST_CASE("bit errors are modelled if correctable_bits is above 0") {
  CellsConfig config;
  CHECK_FALSE(config.err());
  config.correctable_bits = 1;
  CHECK(config.err());
}

TEST_CASE("error rates follow the formulas at chosen points") {
  const Cells cells(squares());
  CHECK(close(cells.wear(2999).fresh, 2e-6));
  CHECK(close(cells.wear(5999).fresh, 5e-6));
  CHECK(close(cells.wear(0).fresh, 1e-6 * (1 + 1.0 / 9e6)));
  CHECK(close(cells.wear(2999).retained, 2e-5));
  CHECK(close(cells.wear(1499).retained, 1e-5));
  CHECK(close(cells.wear(2999).disturbed, 1.6e-9));
  CHECK(close(cells.wear(5999).disturbed, 6.4e-9));
  CHECK(cells.kind(0) == 0.5);
  CHECK(cells.kind(7) == 1.5);
  CHECK(cells.slc() == 0.01);
}

TEST_CASE("passed() rounds the power of time down by at most 1/64") {
  const Cells cells(squares());
  CHECK(cells.passed(0) == 0);
  for (const std::uint32_t exact : {1u, 2u, 1u << 16, 127u << 20})
    CHECK(close(cells.passed(exact), std::sqrt(exact / 86'400.0)));
  for (const std::uint32_t days : {1u, 90u, 365u, 3650u}) {
    CHECK(cells.passed(days * kDay) <= std::sqrt(days));
    CHECK(cells.passed(days * kDay) > std::sqrt(days) * (1 - 1.0 / 64));
  }
}

TEST_CASE("no error rate falls with wear or time") {
  const Cells cells(squares());
  for (std::uint32_t erases = 0; erases < 20'000; ++erases) {
    const Cells::Wear less = cells.wear(erases), more = cells.wear(erases + 1);
    REQUIRE((more.fresh > less.fresh && more.retained > less.retained && more.disturbed > less.disturbed));
  }
  for (std::uint32_t s = 1; s < 400 * kDay; s += s / 97 + 1) REQUIRE(cells.passed(s) >= cells.passed(s - 1));
  CHECK(cells.passed(0xffff'ffff) > cells.passed(0x7fff'ffff));
}

TEST_CASE("cycles before the run count like cycles in it") {
  CellsConfig config = squares();
  const double alone = Cells(config).wear(4200).fresh;
  config.worn_cycles = 4000;
  CHECK(Cells(config).wear(200).fresh == alone);
}

TEST_CASE("CoarseNumbers rounds down by less than 1/64 and keeps the order") {
  const CoarseNumbers numbers(-10, 3);  // not constexpr, unlike those of the tables
  std::uint32_t last = 0;
  for (double x = 0x1p-10; x < 8; x *= 1.001) {
    const double coarse = numbers.number(numbers.index(x));
    REQUIRE((coarse <= x && coarse > x * (1 - 1.0 / 64)));
    REQUIRE(numbers.index(x) >= last);
    last = numbers.index(x);
  }
  CHECK(numbers.index(0) == 0);
  CHECK(numbers.index(0x1p-20) == 0);
  CHECK(numbers.index(8) == numbers.count() - 1);
  CHECK(numbers.index(1e9) == numbers.count() - 1);
}
