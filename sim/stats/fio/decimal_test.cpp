#include "sim/stats/fio/decimal.h"

#include "sim/stats/rate.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

TEST_CASE("a_fraction_is_rounded_half_up_and_printed_with_all_its_decimals") {
  CHECK(decimal(1, 3, 2) == "0.33");
  CHECK(decimal(2, 3, 2) == "0.67");
  CHECK(decimal(1, 8, 2) == "0.13");
  CHECK(decimal(0, 5, 3) == "0.000");
  CHECK(decimal(999, 1000, 2) == "1.00");
  CHECK(decimal(5, 1, 3) == "5.000");
  CHECK(decimal(7, 2, 0) == "4");
  CHECK(decimal(1, 1'000'000'000, 9) == "0.000000001");
}

TEST_CASE("a_fraction_of_large_numbers_keeps_its_digits") {
  CHECK(decimal(~std::uint64_t{0}, 1, 3) == "18446744073709551615.000");
  CHECK(decimal(Uint128{1} << 100, Uint128{1} << 99, 6) == "2.000000");
}

TEST_CASE("a_fraction_with_denominator_zero_is_zero") { CHECK(scaled(5, 0, 3) == 0); }

TEST_CASE("rates_are_rounded_down_and_zero_when_no_time_has_passed") {
  CHECK(per_s(3, Nanoseconds{2'000'000'000}) == 1);
  CHECK(per_s(3, Nanoseconds{0}) == 0);
  CHECK(per_s(std::uint64_t{1} << 60, Nanoseconds{1'000'000'000}) == std::uint64_t{1} << 60);
  CHECK(kib_per_s(2047, Nanoseconds{1'000'000'000}) == 1);
}

}  // namespace
}  // namespace ftlab
