// A fake smartctl gives another answer at each call.
#include "validation/measure/health/health_watch.h"

#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "sim/testing/files.h"
#include "sim/testing/test.h"

using namespace ftlab;
using nlohmann::json;
using nlohmann::ordered_json;
using std::chrono::milliseconds;

namespace {

constexpr std::uint64_t k32MiB = std::uint64_t{32} << 20;

// One answer of an Intel drive: host and flash writes in units of 32 MiB.
std::string answer(int temperature_c, std::uint64_t host, std::uint64_t media) {
  const auto attribute = [](int id, const char* name, std::uint64_t raw) {
    return json{{"id", id}, {"name", name}, {"value", 100}, {"worst", 100}, {"thresh", 0}, {"raw", {{"value", raw}}}};
  };
  const json table = {attribute(241, "Host_Writes_32MiB", host), attribute(243, "NAND_Writes_32MiB", media)};
  return json{{"model_name", "DRIVE"},
              {"serial_number", "S1"},
              {"in_smartctl_database", true},
              {"smart_status", {{"passed", true}}},
              {"temperature", {{"current", temperature_c}}},
              {"ata_smart_attributes", {{"table", table}}}}
      .dump();
}

// A program that gives these answers in turn, then repeats the last one.
class ScriptedSmartctl {
 public:
  explicit ScriptedSmartctl(const std::vector<std::string>& answers) {
    for (std::size_t i = 0; i < answers.size(); ++i) folder_.write("answer-" + std::to_string(i + 1), answers[i]);
    const std::string at = folder_.path().string();
    path_ =
        folder_.write("smartctl", "#!/bin/sh\necho >>" + at + "/asked\nnumber=$(wc -l <" + at + "/asked)\n[ $number -le " +
                                      std::to_string(answers.size()) + " ] || number=" + std::to_string(answers.size()) +
                                      "\ncat " + at + "/answer-$number\n");
    REQUIRE(::chmod(path_.c_str(), 0755) == 0);
  }

  const std::string& path() const { return path_; }
  std::size_t asked() const {
    std::ifstream asked(folder_ / "asked");
    std::size_t count = 0;
    for (std::string line; std::getline(asked, line);) ++count;
    return count;
  }
  bool was_asked(std::size_t count) const {
    for (int tick = 0; asked() < count && tick < 1000; ++tick) std::this_thread::sleep_for(milliseconds(5));
    return asked() >= count;
  }

 private:
  TestFolder folder_;
  std::string path_;
};

struct Watched {
  explicit Watched(const std::vector<std::string>& answers, milliseconds interval = milliseconds(20))
      : smartctl(answers),
        before(ask_smartctl("/dev/x", smartctl.path())),
        health("/dev/x", before, leave, {interval, smartctl.path()}) {}
  bool left() const {
    for (int tick = 0; !leave && tick < 1000; ++tick) std::this_thread::sleep_for(milliseconds(5));
    return leave;
  }
  ScriptedSmartctl smartctl;
  SmartAnswer before;
  std::atomic<bool> leave{false};
  HealthWatch health;
};

}  // namespace

TEST_CASE("the result reports the drive's health before, during and after") {
  Watched drive({answer(30, 1000, 5000), answer(41, 1100, 5300), answer(45, 1250, 5600), answer(38, 1400, 6000)});
  REQUIRE(drive.smartctl.was_asked(4));
  const ordered_json reported = drive.health.finish();
  CHECK_FALSE(drive.leave);
  CHECK(drive.health.reason().empty());
  CHECK(reported["before"]["serial"] == "S1");
  CHECK(reported["before"]["temperature_c"] == 30);
  REQUIRE(reported["during"].size() >= 2);
  CHECK(reported["during"][0]["temperature_c"] == 41);
  CHECK(reported["during"][0]["host_writes"]["count"] == 1100);
  CHECK(reported["during"][1]["temperature_c"] == 45);
  CHECK(reported["during"][1]["media_writes"]["count"] == 5600);
  CHECK(reported["during"][0]["at_s"] < reported["during"][1]["at_s"]);
  CHECK(reported["after"]["temperature_c"] == 38);
}

TEST_CASE("write amplification is computed from before and after, with the resolution of the counters") {
  Watched drive({answer(30, 1000, 5000), answer(40, 1400, 6000)}, std::chrono::hours(1));
  const ordered_json found = drive.health.finish()["write_amplification"];
  CHECK(found["value"] == Approx(1000.0 / 400));
  CHECK(found["lowest"] == Approx(999.0 / 401));
  CHECK(found["highest"] == Approx(1001.0 / 399));
  CHECK(found["host_units"] == 400);
  CHECK(found["host_unit_bytes"] == k32MiB);
  CHECK(found["enough_units"] == true);

  Watched shorter({answer(30, 1000, 5000), answer(40, 1040, 5100)}, std::chrono::hours(1));
  const ordered_json coarse = shorter.health.finish()["write_amplification"];
  CHECK(coarse["value"] == Approx(2.5));
  CHECK(coarse["enough_units"] == false);
  CHECK(coarse["units_wanted"] == 100);
}

TEST_CASE("R14 a drive that gets too hot during the measurement ends it") {
  Watched drive({answer(30, 1, 1), answer(69, 1, 1), answer(75, 1, 1), answer(40, 1, 1)});
  REQUIRE(drive.left());
  CHECK(drive.health.reason() == "the health of the drive: its temperature is 75 C, at most 70 is allowed");
  const ordered_json reported = drive.health.finish();
  CHECK(reported["during"][1]["temperature_c"] == 75);
  CHECK(reported["after"]["temperature_c"] == 40);
}

TEST_CASE("R14 a drive that no longer answers ends the measurement, and the result says so") {
  Watched drive({answer(30, 1, 1), "no JSON"});
  REQUIRE(drive.left());
  CHECK(drive.health.reason().find("the drive no longer answers") != std::string::npos);
  const ordered_json reported = drive.health.finish();
  CHECK(reported["during"][0]["not_known"].get<std::string>().find("printed no JSON") != std::string::npos);
  CHECK(reported["after"].is_null());
  CHECK(reported["after_not_known"].get<std::string>().find("printed no JSON") != std::string::npos);
  CHECK_FALSE(reported.contains("write_amplification"));
}

TEST_CASE("a drive without a first reading is not watched") {
  Watched drive({"no JSON"}, milliseconds(1));
  std::this_thread::sleep_for(milliseconds(20));
  CHECK(drive.health.finish()["not_known"].get<std::string>().find("printed no JSON") != std::string::npos);
  CHECK(drive.smartctl.asked() == 1);
}
