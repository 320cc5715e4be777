// The life curve: earliest times for numbers of page programs.
#include "models/nand/reliability/life_curve.h"

#include "models/nand/reliability/endurance.h"
#include "sim/config/refusal.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr Nanoseconds kCurveDay{86'400'000'000'000};

// Result of reading a drive's `endurance`: the error message, or "accepted".
std::string curve_refused(const std::string& endurance) {
  return refusal([&] {
    const Node root = parse_document(R"({"endurance": )" + endurance + "}", "d.json");
    read_endurance(Reader(root).object("endurance"));
  });
}

}  // namespace

TEST_CASE("a share of the page programs is allowed when that share of the days has passed") {
  const LifeCurve curve({1000, 0, 0}, 4096, 3000, 0);  // 12,288,000 programs in 1,000 days
  CHECK(curve.earliest(0) == Nanoseconds{0});
  CHECK(curve.earliest(12'288) == kCurveDay);
  CHECK(curve.earliest(6'144'000) == 500 * kCurveDay);
  CHECK(curve.earliest(1) == Nanoseconds{7'031'250'000});
}

TEST_CASE("credit is available at once, and powered days without writes add to it") {
  const LifeCurve new_drive({1000, 20, 0}, 4096, 3000, 0);
  CHECK(new_drive.earliest(20 * 12'288) == Nanoseconds{0});
  CHECK(new_drive.earliest(21 * 12'288) == kCurveDay);
  const LifeCurve idle({1000, 20, 100}, 4096, 3000, 0);
  CHECK(idle.earliest(120 * 12'288) == Nanoseconds{0});
  CHECK(idle.earliest(121 * 12'288) == kCurveDay);
}

TEST_CASE("erases before the run count, and a drive ahead of its life curve is refused") {
  const LifeCurve worn({1000, 0, 500}, 4096, 3000, 1500);
  CHECK(worn.earliest(0) == Nanoseconds{0});
  CHECK(worn.earliest(12'288) == kCurveDay);
  const std::string worn_text = R"({"program_erase_limit": 3000, "worn_cycles": 1500,
                                    "life_curve": {"days": 1000, "credit_permille": 20, "powered_days": )";
  CHECK(curve_refused(worn_text + "480}}") == "accepted");
  CHECK(curve_refused(worn_text + "479}}").find("at least 480") != std::string::npos);
  // One of 3,000 erases in 3,001 days is allowed from the second day on.
  const std::string once_text = R"({"program_erase_limit": 3000, "worn_cycles": 1,
                                    "life_curve": {"days": 3001, "credit_permille": 0, "powered_days": )";
  CHECK(curve_refused(once_text + "2}}") == "accepted");
  CHECK(curve_refused(once_text + "1}}").find("at least 2") != std::string::npos);
  CHECK(curve_refused(R"({"life_curve": {"days": 1000, "credit_permille": 20}})").find("program_erase_limit") !=
        std::string::npos);
}

TEST_CASE("the longest life of the largest flash does not overflow") {
  const LifeCurve curve({36'500, 1000, 0}, std::uint64_t{1} << 32, 100'000'000, 0);
  CHECK(curve.earliest((std::uint64_t{1} << 32) * 100'000'000) == Nanoseconds{0});
}
