// TBW, drive writes per day and years left, checked by arithmetic; and the texts if one of them is unknown.
#include "validation/results/health/endurance.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/counters.h"
#include "sim/testing/test.h"
#include "validation/results/health/endurance.h"
#include "validation/results/health/wear_forecast.h"

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

TEST_CASE("a drive lasts for its remaining erases at the write amplification of its last window") {
  Drive drive(wearing_drive(100, 1000), Clock::untimed);
  for (int i = 0; i < 4; ++i) fill(drive);
  const Counters before = drive.counters();
  for (int i = 0; i < 4; ++i) fill(drive);
  const Counters window = difference(drive.counters(), before);
  const double user = 48 << 20;
  const nlohmann::ordered_json json = endurance(drive, {window, {}, 10 * drive.config().user_bytes, Nanoseconds{kDay}});
  const auto tbw = json["tbw_bytes"].get<double>();
  CHECK(json["tbw_write_amplification"] == 1);
  CHECK(json["dwpd"].get<double>() == Approx(tbw / user / 1000));
  CHECK(json["years_left_at_one_drive_write_a_day"].get<double>() == Approx((tbw - 8 * user) / user / 365));
  CHECK(json["years_left"].get<double>() == Approx((tbw - 8 * user) / (10 * user) / 365));
  CHECK((json["life_not_known"].is_null() && json["ends_first"].is_null()));
  CHECK(says(text_of(json), "0.000402653 TB written; would end at 0.00"));
  CHECK(says(text_of(json), "(TBW at write amplification 1.000, 0.1"));
  CHECK(says(text_of(json), "at the 0.005825 MB/s written here\n"));
  CHECK_FALSE(problem_of(*life_of(json)).has_value());
  drive.set_clock(Clock::untimed);
  while (!drive.ftl().read_only()) run(drive, "rw=write\nbs=128k\n");
  CHECK(tbw == Approx(static_cast<double>(drive.counters().host_write_bytes)).epsilon(0.1));
}

TEST_CASE("the spread of wear continues to grow by chance, by differences between blocks, or not at all") {
  const std::vector<double> erases{40, 40, 60, 60};
  const WearGrowth levelled(erases, 100, 10'400 - 2'900);  // from 15, 15, 35, 35
  CHECK(levelled.spread(100) == Approx(10));
  CHECK(levelled.mean_when(60, 70) == Approx(60));
  CHECK(levelled.mean_when(60, 55) == 50);                                  // already has more
  const WearGrowth both(erases, 20, 10'400 - (2 * 36 * 36 + 2 * 54 * 54));  // from 36, 36, 54, 54
  CHECK(both.spread(200) == Approx(40));
  const WearGrowth chance(erases, 200, 10'400);  // from a new drive
  CHECK(chance.spread(200) == Approx(20));
  const WearGrowth apart({0, 0, 100, 100}, 100, 15'000);  // from 0, 0, 50, 50 with blocks that hold cold data
  CHECK(std::isinf(WearGrowth({0, 0, 100, 100}, 2, 398).mean_when(0, 50)));
  CHECK(apart.mean() == 50);
}

TEST_CASE("unknown figures of a drive's life are reported, not left out") {
  Drive ageless(striped_drive(), Clock::untimed);
  fill(ageless);
  CHECK_FALSE(problem_of(*life_of(endurance(ageless))).has_value());
  CHECK(says(text_of(endurance(ageless, {{}, {}, 1, Nanoseconds{1}})),
             "years left unknown: the drive file states no endurance.program_erase_limit"));
  Drive drive(wearing_drive(100, 0), Clock::untimed);
  CHECK(says(text_of(endurance(drive)), "TBW not known: the host has not written the drive over (0 TB of 5.03316e-05 TB)"));
  CHECK(says(text_of(endurance(drive)), "years left              not known, as TBW"));
  CHECK(problem_of(*life_of(endurance(drive))).value().code == ProblemCode::not_written_over);
  fill(drive);
  CHECK(says(text_of(endurance(drive)), "TBW not known: nothing was erased"));
  for (int i = 0; i < 3; ++i) fill(drive);
  CHECK(says(text_of(endurance(drive, {Counters{}, {}, 0, Nanoseconds{0}})), "TBW not known: the host wrote nothing"));
  const Counters all = drive.counters();  // four fills
  CHECK(says(
      text_of(endurance(drive, {all, all, 0, Nanoseconds{0}})),
      "TBW not known: the first fill reaches into the second half of the run (0 TB of 5.03316e-05 TB written before it)"));
  const std::string text = text_of(endurance(drive));
  CHECK(says(text, "drive writes a day unknown without endurance.warranty_days"));
  CHECK(says(text, "at the rate of a host unknown: no timed run with writes is looked at"));
  CHECK(life_text(life_of(nullptr)) == "  life                    unknown: the result holds no ftlab.endurance\n");
  CHECK(life_text(life_of({{"host_bytes_written", 1}})) == life_text(std::nullopt));
  CHECK(says(life_text(life_of({{"host_bytes_written", 1}, {"percentage_used", 2}, {"tbw_bytes", "many"}})),
             "TBW not known: the result does not say why"));
}
