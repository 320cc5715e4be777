// R14, and the write amplification of a real drive, with reports in smartctl's format.
#include "validation/measure/health/smart_limits.h"

#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include "sim/testing/commands.h"
#include "sim/testing/files.h"
#include "validation/measure/testing/facts.h"
#include "validation/results/health/smart_report.h"

using namespace ftlab;
using namespace ftlab::testing;
using nlohmann::json;

namespace {

constexpr std::uint64_t k32MiB = std::uint64_t{32} << 20, kGiB = std::uint64_t{1} << 30;

json attribute(int id, const std::string& name, std::uint64_t raw, int value = 100, int threshold = 0) {
  return {{"id", id},       {"name", name},        {"value", value},
          {"worst", value}, {"thresh", threshold}, {"raw", {{"value", raw}, {"string", std::to_string(raw)}}}};
}

// Format of smartctl 7.3 for a SATA drive.
json ata(const json& attributes) {
  return {{"smartctl", {{"exit_status", 0}}},
          {"model_name", "INTEL SSDSC2KB240G8"},
          {"serial_number", "BTYF1234"},
          {"firmware_version", "XCV10132"},
          {"user_capacity", {{"blocks", 468862128}, {"bytes", 240057409536}}},
          {"logical_block_size", 512},
          {"in_smartctl_database", true},
          {"smart_status", {{"passed", true}}},
          {"temperature", {{"current", 31}}},
          {"power_on_time", {{"hours", 812}}},
          {"ata_smart_attributes", {{"table", attributes}}}};
}

json nvme() {
  return {{"model_name", "FAST"},
          {"serial_number", "S4EV"},
          {"firmware_version", "2B2Q"},
          {"user_capacity", {{"bytes", 500107862016}}},
          {"smart_status", {{"passed", true}}},
          {"temperature", {{"current", 44}}},
          {"nvme_smart_health_information_log",
           {{"temperature", 44},
            {"available_spare", 97},
            {"available_spare_threshold", 10},
            {"percentage_used", 3},
            {"data_units_written", 1'000'000}}}};
}

SmartReading healthy() {
  SmartReading reading;
  reading.serial = "S1";
  reading.passed = true;
  reading.temperature_c = 40;
  reading.percentage_used = 10;
  reading.spare_percent = 90;
  reading.spare_threshold_percent = 10;
  return reading;
}

SmartReading counted(std::uint64_t host, std::uint64_t media, std::uint64_t host_unit, std::uint64_t media_unit) {
  SmartReading reading;
  reading.host_writes = WriteCounter{"host", host, host_unit};
  reading.media_writes = WriteCounter{"media", media, media_unit};
  return reading;
}

bool says(const std::vector<std::string>& reasons, const std::string& words) {
  return std::any_of(reasons.begin(), reasons.end(),
                     [&](const auto& text) { return text.find(words) != std::string::npos; });
}

// A fake smartctl.
std::string program(const TestFolder& folder, const std::string& body) {
  auto path = folder.write("smartctl", "#!/bin/sh\n" + body + "\n");
  REQUIRE(chmod(path.c_str(), 0755) == 0);
  return path;
}

}  // namespace

TEST_CASE("identity_and_health_of_a_drive_are_read_from_smartctl") {
  const auto reading = parse_smart(
      ata({attribute(232, "Available_Reservd_Space", 0, 98, 10), attribute(233, "Media_Wearout_Indicator", 0, 93)}));
  CHECK(reading.model == "INTEL SSDSC2KB240G8");
  CHECK(reading.serial == "BTYF1234");
  CHECK(reading.firmware == "XCV10132");
  CHECK(reading.capacity_bytes == 240057409536u);
  CHECK(reading.passed == true);
  CHECK(reading.temperature_c == 31);
  CHECK(reading.power_on_hours == 812u);
  CHECK(reading.percentage_used == 7);
  CHECK(reading.spare_percent == 98);
  CHECK(reading.spare_threshold_percent == 10);
  CHECK(unjudged(reading).empty());
  const auto fast = parse_smart(nvme());
  CHECK(fast.percentage_used == 3);
  CHECK(fast.spare_percent == 97);
  CHECK(fast.host_writes == WriteCounter{"data_units_written", 1'000'000, 512'000});
  CHECK_FALSE(fast.media_writes);
}

TEST_CASE("the_drives_own_statistics_take_precedence_over_normalised_attributes") {
  auto report = ata(json::array({attribute(233, "Media_Wearout_Indicator", 0, 93)}));
  CHECK(parse_smart(report).percentage_used == 7);
  const json row = {{"name", "Percentage Used Endurance Indicator"}, {"value", 12}};
  report["ata_device_statistics"]["pages"] = json::array({{{"number", 7}, {"table", json::array({row})}}});
  CHECK(parse_smart(report).percentage_used == 12);
  report["endurance_used"]["current_percent"] = 13;
  CHECK(parse_smart(report).percentage_used == 13);
}

TEST_CASE("write_counters_are_recognised_by_number_and_name_with_their_unit") {
  struct Case {
    json attributes;
    std::uint64_t host_unit, media_unit;
  };
  const std::vector<Case> cases = {
      {{attribute(225, "Host_Writes_32MiB", 5), attribute(249, "NAND_Writes_1GiB", 7)}, k32MiB, kGiB},
      {{attribute(241, "Host_Writes_32MiB", 5), attribute(243, "NAND_Writes_32MiB", 7)}, k32MiB, k32MiB},
      {{attribute(241, "Lifetime_Writes_GiB", 5), attribute(233, "SandForce_Internal", 7)}, kGiB, kGiB}};
  for (const auto& [attributes, host_unit, media_unit] : cases) {
    const auto reading = parse_smart(ata(attributes));
    REQUIRE(reading.host_writes);
    REQUIRE(reading.media_writes);
    CHECK(reading.host_writes->count == 5);
    CHECK(reading.host_writes->unit_bytes == host_unit);
    CHECK(reading.media_writes->count == 7);
    CHECK(reading.media_writes->unit_bytes == media_unit);
  }
  const auto samsung = parse_smart(ata(json::array({attribute(241, "Total_LBAs_Written", 5)})));
  CHECK(samsung.host_writes == WriteCounter{"241 Total_LBAs_Written", 5, 512});
  CHECK_FALSE(samsung.media_writes);
  CHECK_FALSE(parse_smart(ata({attribute(233, "Media_Wearout_Indicator", 5), attribute(234, "SandForce_Internal", 7)}))
                  .media_writes);
}

TEST_CASE("micron_counts_pages_of_the_host_and_of_the_firmware") {
  const auto before =
      parse_smart(ata({attribute(246, "Total_LBAs_Written", 9), attribute(247, "Host_Program_Page_Count", 1000),
                       attribute(248, "FTL_Program_Page_Count", 500)}));
  const auto after =
      parse_smart(ata({attribute(246, "Total_LBAs_Written", 9), attribute(247, "Host_Program_Page_Count", 3000),
                       attribute(248, "FTL_Program_Page_Count", 2500)}));
  const auto found = amplification_between(before, after);
  CHECK(found.value == Approx((2000.0 + 2000.0) / 2000.0));
  CHECK(found.media_unit_bytes == 0);
}

TEST_CASE("guessed_names_of_drives_unknown_to_smartmontools_are_not_used") {
  auto report = ata(json::array({attribute(241, "Total_LBAs_Written", 5)}));
  CHECK(parse_smart(report).host_writes);
  report["in_smartctl_database"] = false;
  CHECK_FALSE(parse_smart(report).host_writes);
}

TEST_CASE("broken_fields_of_a_report_are_unknown") {
  const auto whole =
      ata({attribute(232, "Available_Reservd_Space", 0, 98, 10), attribute(241, "Host_Writes_32MiB", 5)}).flatten();
  for (const auto& wrong :
       {json(nullptr), json("text"), json(-1), json(1.5), json::array(), json(true), json(~std::uint64_t{0})})
    for (const auto& [path, value] : whole.items()) {
      auto broken = whole;
      if (wrong.is_array()) {
        broken.erase(path);
      } else {
        broken[path] = wrong;
      }
      CHECK_NOTHROW(parse_smart(broken.unflatten()));
    }
  for (const auto& nonsense :
       {json(), json::array(), json("x"), json{{"ata_smart_attributes", {{"table", {1, "x", nullptr}}}}}})
    CHECK(unjudged(parse_smart(nonsense)).size() == 4);
}

// A simulated drive reports in smartctl's format, so that this code reads both.
TEST_CASE("the_health_report_of_a_simulated_drive_is_understood") {
  SmartLog before, after;
  after.host_write_bytes = 200 * kGiB;
  after.media_write_bytes = 500 * kGiB;
  const auto read = [](const SmartLog& log) {
    json report = smart_json(SmartSubject{"here", "a drive", 7}, load_smart_table("intel"), log);
    return parse_smart(report);
  };
  const auto found = amplification_between(read(before), read(after));
  CHECK(found.value == Approx(2.5));
  CHECK(found.enough_units);
}

TEST_CASE("R14_each_limit_refuses_values_beyond_it_but_not_at_it") {
  SmartLimits limits;
  limits.temperature_c_most = 40;
  limits.percentage_used_most = 10;
  limits.spare_percent_least = 90;
  CHECK(beyond_limits(healthy(), limits).empty());
  auto reading = healthy();
  reading.temperature_c = 41;
  CHECK(says(beyond_limits(reading, limits), "its temperature is 41 C, at most 40 is allowed"));
  reading = healthy();
  reading.percentage_used = 11;
  CHECK(says(beyond_limits(reading, limits), "the used part of its endurance is 11 %, at most 10"));
  reading = healthy();
  reading.spare_percent = 89;
  CHECK(says(beyond_limits(reading, limits), "its spare is 89 %, at least 90 is wanted"));
  reading = healthy();
  reading.spare_threshold_percent = 90;
  CHECK(says(beyond_limits(reading, limits), "not above its own threshold of 90"));
  reading = healthy();
  reading.passed = false;
  CHECK(says(beyond_limits(reading, limits), "the drive itself says that it is failing"));
}

TEST_CASE("R14_values_that_a_drive_does_not_report_are_named") {
  CHECK(unjudged(SmartReading{}).size() == 4);
  CHECK(beyond_limits(SmartReading{}, {}).empty());
  auto reading = healthy();
  reading.temperature_c.reset();
  CHECK(unjudged(reading) == std::vector<std::string>{"temperature"});
}

TEST_CASE("R14_a_drive_that_stops_reporting_or_changes_during_the_measurement_ends_it") {
  const auto before = healthy();
  SmartAnswer now{healthy(), "", nullptr};
  CHECK(beyond_limits_since(before, now, {}).empty());
  now.reading->temperature_c.reset();
  CHECK(says(beyond_limits_since(before, now, {}), "it no longer reports its temperature"));
  now.reading = healthy();
  now.reading->serial = "S2";
  CHECK(says(beyond_limits_since(before, now, {}), "it now shows the serial number \"S2\""));
  now.reading = healthy();
  now.reading->temperature_c = 71;
  CHECK(says(beyond_limits_since(before, now, {}), "its temperature is 71 C"));
  now = {std::nullopt, "it was pulled", nullptr};
  CHECK(says(beyond_limits_since(before, now, {}), "the drive no longer answers: it was pulled"));
}

TEST_CASE("write_amplification_lies_within_the_resolution_of_the_counters") {
  // True values: 3,210,000,000 bytes by the host, 2.5 times as many on the media, at any phase of the counters.
  constexpr std::uint64_t host = 3'210'000'000, media = 8'025'000'000;
  for (std::uint64_t phase = 0; phase < 40; ++phase) {
    const std::uint64_t h = phase * 1'234'567, m = phase * 7'654'321;
    const auto found = amplification_between(counted(h / k32MiB, m / k32MiB, k32MiB, k32MiB),
                                             counted((h + host) / k32MiB, (m + media) / k32MiB, k32MiB, k32MiB));
    REQUIRE(found.value);
    CHECK(*found.lowest <= 2.5);
    CHECK(*found.highest >= 2.5);
    CHECK_FALSE(found.enough_units);  // 95 units by the host, fewer than 100
  }
  CHECK(amplification_between(counted(0, 0, k32MiB, kGiB), counted(3200, 250, k32MiB, kGiB)).value == Approx(2.5));
  CHECK(amplification_between(counted(0, 0, k32MiB, kGiB), counted(3200, 250, k32MiB, kGiB)).enough_units);
}

TEST_CASE("an_unknown_write_amplification_comes_with_a_reason") {
  const auto why = [](const SmartReading& before, const SmartReading& after) {
    const auto found = amplification_between(before, after);
    CHECK_FALSE(found.value);
    return found.why_not;
  };
  CHECK(why({}, {}) == "the drive has no counter of host writes that is known");
  auto half = counted(1, 1, 1, 1);
  half.media_writes.reset();
  CHECK(why(half, half) == "the drive has no counter of media writes that is known");
  CHECK(why(counted(2, 2, 1, 1), counted(1, 3, 1, 1)) == "a counter has gone backwards");
  CHECK(why(counted(2, 2, 1, 1), counted(2, 3, 1, 1)) == "the counter of host writes has not moved");
  auto other = counted(3, 3, 1, 1);
  other.media_writes->name = "another";
  CHECK(why(counted(2, 2, 1, 1), other) == "the two readings are not of the same counters");
  const auto one_unit = amplification_between(counted(0, 0, 1, 1), counted(1, 3, 1, 1));
  CHECK(one_unit.value);
  CHECK_FALSE(one_unit.highest);
}

TEST_CASE("the_identity_reported_by_smart_must_agree_with_sysfs") {
  auto facts = idle_drive();
  SmartReading reading;
  reading.serial = *facts.serial;
  reading.capacity_bytes = facts.size_bytes;
  reading.model = "FAST";
  reading.firmware = "XCV1";
  add_smart_identity(facts, reading);
  CHECK(permitted(facts, writing(facts)));
  CHECK(facts.context.model == "FAST");
  CHECK(facts.context.firmware == "XCV1");
  auto other = facts;
  reading.serial = "S2";
  add_smart_identity(other, reading);
  CHECK(refused(other, writing(other), "R3", "its serial number is S1 by sysfs and S2 by SMART"));
  other = facts;
  reading.serial = *facts.serial;
  reading.capacity_bytes = *facts.size_bytes + 512;
  add_smart_identity(other, reading);
  CHECK(refused(other, writing(other), "R3", "its size"));
}

TEST_CASE("smartctl_is_run_as_a_program_and_its_failures_are_reported") {
  const TestFolder folder;
  const auto good = program(folder, "echo '{\"serial_number\": \"'\"$3\"'\", \"temperature\": {\"current\": 33}}'; exit 4");
  const auto answer = ask_smartctl("/dev/x", good);
  REQUIRE(answer.reading);
  CHECK(answer.reading->serial == "/dev/x");
  CHECK(answer.reading->temperature_c == 33);
  CHECK(answer.raw["temperature"]["current"] == 33);
  const auto why = [&](const std::string& body) { return ask_smartctl("/dev/x", program(folder, body)).why_not; };
  CHECK(why("echo '{\"smartctl\": {\"messages\": [{\"string\": \"no such device\"}]}}'; exit 2").find("no such device") !=
        std::string::npos);
  CHECK(why("echo nonsense").find("printed no JSON") != std::string::npos);
  CHECK(why("kill -9 $$").find("was killed") != std::string::npos);
  CHECK(ask_smartctl("/dev/x", folder / "missing").why_not.find("is not installed") != std::string::npos);
  CHECK(ask_smartctl("/dev/x", program(folder, "exec sleep 60"), std::chrono::milliseconds(50)).why_not.find("in time") !=
        std::string::npos);
}

TEST_CASE("smartctl_of_this_machine_says_why_it_cannot_read_a_file") {
  if (!succeeds("PATH=$PATH:/usr/sbin smartctl --version")) {
    WARN("skipped: smartctl is not installed");
    return;
  }
  const TestFile file("x");
  const auto answer = ask_smartctl(file.path());
  CHECK_FALSE(answer.reading);
  CHECK(answer.why_not.find("cannot read this device") != std::string::npos);
}

TEST_CASE("the_result_shows_counters_with_their_resolution") {
  const auto reading = parse_smart(ata(json::array({attribute(241, "Host_Writes_32MiB", 5)})));
  const auto shown = smart_json(reading);
  CHECK(shown["host_writes"]["unit_bytes"] == k32MiB);
  CHECK(shown["media_writes"].is_null());
  CHECK(shown["not_told"].size() == 2);
  const auto found =
      amplification_json(amplification_between(counted(0, 0, k32MiB, kGiB), counted(3200, 250, k32MiB, kGiB)));
  CHECK(found["media_unit_bytes"] == kGiB);
  CHECK(found["enough_units"] == true);
  CHECK(amplification_json(amplification_between({}, {}))["why_not"] ==
        "the drive has no counter of host writes that is known");
}
