// TBW, drive writes a day and years left, by arithmetic; and what is said where one of them is not known.
#include "validation/results/health/life.h"

#include <nlohmann/json.hpp>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"
#include "validation/results/health/endurance_result.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kDay = 86'400'000'000'000;

DriveConfig wearing_drive(std::uint32_t limit, std::uint32_t warranty_days) {
  DriveConfig config = striped_drive();
  config.endurance.program_erase_limit = limit;
  config.endurance.warranty_days = warranty_days;
  config.ftl.failure_reserve = 1;
  config.user_bytes = 48ull << 20;
  return config;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
std::string text_of(const nlohmann::ordered_json& endurance) { return life_text(life_of(endurance)); }

}  // namespace

TEST_CASE("a drive lasts for the erases that are left at the write amplification of its last window") {
  Drive drive(wearing_drive(100, 1000), Clock::untimed);
  fill(drive);
  REQUIRE(drive.counters().block_erases == 0);
  const double user = 48 << 20, flash = 64 << 20;  // written once, no block erased yet
  const nlohmann::ordered_json json = endurance(drive, {4, 10 * drive.config().user_bytes, Nanoseconds{kDay}});
  const double tbw = user + 100 * flash / 4;
  CHECK(json["tbw_bytes"] == tbw);
  CHECK(json["tbw_write_amplification"] == 4);
  CHECK(json["dwpd"].get<double>() == Approx(tbw / user / 1000));
  CHECK(json["years_left_at_one_drive_write_a_day"].get<double>() == Approx((tbw - user) / user / 365));
  CHECK(json["years_left"].get<double>() == Approx((tbw - user) / (10 * user) / 365));
  CHECK(text_of(json) ==
        "  life used               0.00 %, 5.03316e-05 TB written; would end at 0.00172805 TB (TBW at write amplification "
        "4.000, 0.0343 drive writes a day)\n"
        "  years left              0.0913 at one drive write a day, 0.00913 at the 0.005825 MB/s written here\n");
  CHECK(endurance(drive, {8, 0, Nanoseconds{0}})["tbw_bytes"] == user + 100 * flash / 8);
}

TEST_CASE("what of a drive's life is not known is said, not left out") {
  Drive ageless(striped_drive(), Clock::untimed);
  fill(ageless);
  CHECK(says(text_of(endurance(ageless, {2, 1, Nanoseconds{1}})),
             "years left unknown: the drive file states no endurance.program_erase_limit"));
  Drive drive(wearing_drive(100, 0), Clock::untimed);
  CHECK(says(text_of(endurance(drive)), "TBW unknown before something is written or erased"));
  CHECK(says(text_of(endurance(drive)), "years left              unknown, as TBW"));
  fill(drive);
  const std::string text = text_of(endurance(drive, {2, 0, Nanoseconds{0}}));
  CHECK(says(text, "drive writes a day unknown without endurance.warranty_days"));
  CHECK(says(text, "at the rate of a host unknown: no timed run with writes is looked at"));
  CHECK(life_text(life_of(nullptr)) == "  life                    unknown: the result holds no ftlab.endurance\n");
  CHECK(life_text(life_of({{"host_bytes_written", 1}})) == life_text(std::nullopt));
  CHECK(says(life_text(life_of({{"host_bytes_written", 1}, {"percentage_used", 2}, {"tbw_bytes", "many"}})), "TBW unknown"));
}
