// SMART: units and attribute IDs of each vendor, and write amplification computed from them as a user would.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/config/library.h"
#include "sim/config/refusal.h"
#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"
#include "validation/results/health/smart_report.h"
#include "validation/results/health/smart_table.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t k32MiB = std::uint64_t{32} << 20;

void run(Drive& drive, const std::string& options) {
  JobContext context;
  context.capacity_bytes = drive.config().user_bytes;
  const JobFile jobs =
      parse_job_file("[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrandrepeat=0\n" + options, "test", context);
  run_jobs(drive, jobs.jobs, {});
}

constexpr const char* kTwoGiB = "rw=randwrite\nbs=16k\nnorandommap\nio_size=2g\n";

nlohmann::json report(const SmartLog& log, const std::string& table) {
  return smart_json({"here", "a drive", 7}, load_smart_table(table), log);
}

nlohmann::json attribute(const nlohmann::json& report, int id) {
  for (const auto& row : report["ata_smart_attributes"]["table"]) {
    if (row["id"] == id) return row;
  }
  FAIL("no attribute " << id);
  return {};
}

std::uint64_t raw(const nlohmann::json& report, int id) {
  return attribute(report, id)["raw"]["value"].get<std::uint64_t>();
}

std::uint64_t raw(const SmartLog& log, const std::string& table, int id) { return raw(report(log, table), id); }

double internal_wa(const Drive& drive) {
  const Counters all = drive.counters();
  return static_cast<double>(all.media_write_bytes()) / static_cast<double>(all.host_write_bytes);
}

// Checks write amplification computed by a user from raw values in these units. Both were rounded down.
void check_wa(double internal, std::uint64_t media, double media_unit, std::uint64_t host, double host_unit) {
  INFO("internal " << internal << ", attributes " << media << " and " << host);
  CHECK(host > 10);
  CHECK(media > 1);
  CHECK(internal >= static_cast<double>(media) * media_unit / (static_cast<double>(host + 1) * host_unit));
  CHECK(internal < static_cast<double>(media + 1) * media_unit / (static_cast<double>(host) * host_unit));
}

void check_every_vendor(const Drive& drive) {
  const SmartLog log = smart_log(drive, drive.latest());
  const double wa = internal_wa(drive);
  const double page = drive.config().geometry.page_bytes;
  const auto of = [&log](const char* table, int id) { return raw(log, table, id); };
  check_wa(wa, of("intel", 249), kGiB, of("intel", 241), k32MiB);
  CHECK(of("intel", 225) == of("intel", 241));
  check_wa(wa, of("sandforce", 233), kGiB, of("generic", 241), 512);
  CHECK(of("sandforce", 241) == log.host_write_bytes / kGiB);
  CHECK(of("sandforce", 234) == of("sandforce", 241));
  check_wa(wa, of("samsung", 177), static_cast<double>(drive.config().geometry.bytes()), of("samsung", 241), 512);
  check_wa(wa, of("generic", 249), kGiB, of("generic", 241), 512);
  const std::uint64_t host_pages = of("micron", 247), own_pages = of("micron", 248);
  const double micron = static_cast<double>(host_pages + own_pages) / static_cast<double>(host_pages);
  CHECK(micron == Approx(wa).epsilon(1e-6));
  check_wa(wa, host_pages + own_pages, page, of("micron", 246), 512);
}

DriveConfig mortal_drive(std::uint32_t limit) {
  DriveConfig config = striped_drive();
  config.endurance.program_erase_limit = limit;
  config.ftl.failure_reserve = 1;
  config.user_bytes = 48ull << 20;
  return config;
}

Node table_of(const std::string& attribute) {
  return parse_document(R"({"name": "t", "about": "a", "attributes": [)" + attribute + "]}", "table.json");
}

std::string table_refusal(const std::string& attribute) {
  const Node document = table_of(attribute);
  return refusal([&document] { read_smart_table(document); });
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the SMART tables of the library are those that a drive file may name, and all can be loaded") {
  std::vector<std::string> names = {"generic", "intel", "micron", "samsung", "sandforce"};
  CHECK(library_names("smart") == names);
  for (const std::string& name : names) CHECK(load_smart_table(name).name == name);
}

TEST_CASE("the byte counts of an Intel 530 in a review give the raw values of that review") {
  SmartLog log;
  log.host_write_bytes = 37817 * k32MiB + k32MiB - 1;
  log.host_read_bytes = 20951 * k32MiB;
  log.media_write_bytes = 5983 * kGiB;
  log.powered_ms = (1604ull * 60 + 57) * 60'000 + 112;
  log.power_cycles = 484;
  log.power_cuts = 15;
  const nlohmann::json intel = report(log, "intel");
  CHECK((raw(intel, 225) == 37817 && raw(intel, 241) == 37817 && raw(intel, 242) == 20951 && raw(intel, 249) == 5983));
  CHECK((raw(intel, 12) == 484 && raw(intel, 174) == 15 && raw(intel, 192) == 15));
  CHECK(attribute(intel, 9)["raw"]["string"] == "1604h+57m+00.112s");
  CHECK((raw(intel, 9) & 0xffffffff) == 1604);
  CHECK((intel["power_on_time"]["hours"] == 1604 && intel["power_on_time"]["minutes"] == 57));
  CHECK(intel["power_cycle_count"] == 484);
}

TEST_CASE("raw values count complete units only") {
  SmartLog log;
  const auto host = [&log](const char* table, std::uint64_t bytes) {
    log.host_write_bytes = bytes;
    return raw(log, table, 241);
  };
  CHECK((host("intel", k32MiB - 1) == 0 && host("intel", k32MiB) == 1));
  CHECK((host("sandforce", kGiB - 1) == 0 && host("sandforce", kGiB) == 1));
  CHECK((host("samsung", 511) == 0 && host("samsung", 512) == 1));
  log.powered_ms = 3'599'999;
  CHECK((raw(log, "samsung", 9) == 0 && raw(log, "intel", 9) == 3'599'999ull << 32));
  log.powered_ms = 3'600'000;
  CHECK((raw(log, "samsung", 9) == 1 && raw(log, "intel", 9) == 1));
}

TEST_CASE("a SandForce drive with 79 % of its cycles used has 21 % of its life left") {
  SmartLog log;
  log.has_endurance_limit = 1;
  log.life_used_percent = 79;
  CHECK(attribute(report(log, "sandforce"), 231)["value"] == 21);
  CHECK(report(log, "sandforce")["endurance_used"]["current_percent"] == 79);
  log.life_used_percent = 89;
  CHECK(report(log, "sandforce")["smart_status"]["passed"] == true);
  log.life_used_percent = 90;
  const nlohmann::json worn = report(log, "sandforce");
  CHECK(attribute(worn, 231)["when_failed"] == "now");
  CHECK((worn["smart_status"]["passed"] == false && worn["smartctl"]["exit_status"] == 24));
  log.life_used_percent = 250;
  CHECK((attribute(report(log, "intel"), 233)["value"] == 1 && attribute(report(log, "micron"), 202)["value"] == 0));
  CHECK(raw(log, "micron", 202) == 250);
}

TEST_CASE("flags are spelled out as in smartctl") {
  const nlohmann::json flags = attribute(report({}, "intel"), 249)["flags"];
  CHECK((flags["value"] == 0x13 && flags["string"] == "PO--C- "));
  CHECK((flags["prefailure"] == true && flags["updated_online"] == true && flags["performance"] == false));
  CHECK((flags["event_count"] == true && flags["auto_keep"] == false));
}

TEST_CASE("write amplification from each vendor's attributes equals the internal one within their units") {
  Drive drive(striped_drive(), Clock::untimed);
  run(drive, kTwoGiB);
  check_every_vendor(drive);

  const std::string state = drive.save();
  Drive loaded(striped_drive(), Clock::untimed);
  loaded.load(state);
  CHECK(health_json(smart_log(loaded, loaded.idle_from())) == health_json(smart_log(drive, drive.latest())));
  DriveConfig fifo = striped_drive();
  fifo.ftl.gc.policy = gc_policy_index("fifo");
  Lifecycle(loaded).redesign(fifo);
  run(loaded, kTwoGiB);
  run(drive, kTwoGiB);
  check_every_vendor(drive);
  check_every_vendor(loaded);
  CHECK(internal_wa(loaded) != internal_wa(drive));
}

TEST_CASE("hours and power cycles cover the drive's whole life") {
  Drive drive(striped_drive(), Clock::timed);
  run(drive, "rw=write\nbs=64k\nio_size=8m\n");
  Lifecycle(drive).power_cycle();
  Lifecycle(drive).power_cycle();
  const nlohmann::json smart = report(smart_log(drive, Nanoseconds{7'300'000'000'000}), "intel");
  CHECK((smart["power_cycle_count"] == 3 && raw(smart, 12) == 3 && raw(smart, 174) == 2));
  CHECK((smart["power_on_time"]["hours"] == 2 && smart["power_on_time"]["minutes"] == 1));
}

TEST_CASE("SMART shows wear, and a read-only drive has failed") {
  Drive drive(mortal_drive(40), Clock::untimed);
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\nio_size=300m\n");
  const SmartLog half = smart_log(drive, drive.latest());
  CHECK((half.life_used_percent > 10 && half.life_used_percent < 100 && half.has_endurance_limit == 1));
  CHECK((half.life_used_percent >= half.mean_erases * 100 / 40 &&
         half.life_used_percent < (half.mean_erases + 1) * 100 / 40 + 1));
  CHECK(attribute(report(half, "intel"), 233)["value"] == 100 - half.life_used_percent);
  CHECK(report(half, "intel")["smart_status"]["passed"] == true);
  CHECK(report(half, "intel")["smartctl"]["exit_status"] == 0);
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\nio_size=20g\n");
  REQUIRE(drive.ftl().read_only());
  const SmartLog dead = smart_log(drive, drive.latest());
  for (const std::string& table : library_names("smart")) {
    INFO(table);
    CHECK(report(dead, table)["smart_status"]["passed"] == false);
    CHECK((report(dead, table)["smartctl"]["exit_status"].get<int>() & 8) == 8);
  }
  CHECK((dead.read_only == 1 && dead.erase_failures > 0 && dead.grown_bad_blocks > 0));
  CHECK(raw(dead, "samsung", 179) == dead.grown_bad_blocks);
  CHECK(dead.reserve_left_percent < half.reserve_left_percent);
}

TEST_CASE("an NVMe drive reports its health log in the units and names of the specification, and no attributes") {
  SmartLog log;
  log.host_read_bytes = 512'000;
  log.host_write_bytes = 512'001;
  log.host_read_commands = 1234567;
  log.host_write_commands = 3;
  log.powered_ms = 2 * 3'600'000 - 1;
  log.power_cycles = 4;
  log.power_cuts = 3;
  log.lost_pages = 9;
  const SmartSubject subject{"here", "a drive", 7, true};
  const nlohmann::json smart = smart_json(subject, load_smart_table("generic"), log);
  CHECK(smart["device"]["protocol"] == "NVMe");
  CHECK_FALSE(smart.contains("ata_smart_attributes"));
  CHECK_FALSE(smart.contains("rotation_rate"));
  const nlohmann::json& health = smart["nvme_smart_health_information_log"];
  CHECK((health["data_units_read"] == 1 && health["data_units_written"] == 2));  // rounded up
  CHECK((health["host_reads"] == 1234567 && health["host_writes"] == 3));
  CHECK((health["power_cycles"] == 4 && health["unsafe_shutdowns"] == 3 && health["power_on_hours"] == 1));
  CHECK((health["media_errors"] == 9 && health["available_spare"] == 100 && health["critical_warning"] == 0));
  for (const char* absent : {"temperature", "available_spare_threshold", "percentage_used", "controller_busy_time"})
    CHECK_FALSE(health.contains(absent));
  const std::string text = smart_text(subject, load_smart_table("generic"), log);
  for (const char* part : {"Critical Warning:                   0x00\n", "Data Units Written:                 2 [",
                           "Host Read Commands:                 1,234,567\n", "Media and Data Integrity Errors:    9\n"})
    CHECK(says(text, part));
  CHECK_FALSE(says(text, "Percentage Used"));
  log.has_endurance_limit = log.has_busy_time = log.read_only = 1;
  log.life_used_percent = 300;
  log.busy_ms = 119'999;
  log.reserve_left_percent = 0;
  const nlohmann::json worn = smart_json(subject, load_smart_table("generic"), log);
  const nlohmann::json& after = worn["nvme_smart_health_information_log"];
  CHECK((after["percentage_used"] == 255 && after["controller_busy_time"] == 1 && after["critical_warning"] == 9));
  CHECK((worn["smart_status"]["passed"] == false && worn["smart_status"]["nvme"]["value"] == 9));
}

TEST_CASE("a health log reads back as written") {
  SmartLog log;
  std::uint64_t value = 0;
  for (const HealthField& field : kHealthFields) log.*field.member = field.member == &SmartLog::none ? 0 : ++value;
  nlohmann::json json = health_json(log);
  const SmartLog read = read_health(json, "x");
  for (const HealthField& field : kHealthFields) CHECK(read.*field.member == log.*field.member);
  json["mean_erases"] = -3;
  CHECK(says(refusal([&json] { read_health(json, "r/result.json"); }),
             "r/result.json: ftlab.health.mean_erases: is not a count"));
  json.erase("mean_erases");
  CHECK(says(refusal([&json] { read_health(json, "r/result.json"); }), "ftlab.health.mean_erases: is missing"));
}

TEST_CASE("an invalid SMART table is refused with its line and key") {
  const std::string good = R"({"id": 5, "name": "n", "flags": 50, "raw": "mean_erases"})";
  CHECK(table_refusal(good) == "accepted");
  CHECK(says(table_refusal(R"({"id": 5, "name": "n", "flags": 50, "raw": "mean_erase"})"), "did you mean mean_erases?"));
  CHECK(says(table_refusal(R"({"id": 0, "name": "n", "flags": 50, "raw": "mean_erases"})"),
             "attributes[0].id: is out of range"));
  CHECK(says(table_refusal(R"({"id": 5, "name": "n", "flags": 64, "raw": "mean_erases"})"), "attributes[0].flags"));
  CHECK(says(table_refusal(R"({"id": 5, "name": "n", "flags": 50, "raw": "mean_erases", "units": 2})"),
             "units: is not a known key"));
  CHECK(says(table_refusal(R"({"id": 5, "name": "n", "flags": 50, "raw": "mean_erases", "unit": 0})"),
             "unit: is out of range"));
  CHECK(says(table_refusal(R"({"id": 5, "name": "n", "flags": 50, "raw": "mean_erases", "value": "life-lost"})"),
             "life-left"));
  CHECK(says(table_refusal(R"({"id": 5, "name": "n", "flags": 50, "raw": "none", "value": "life-left", "fixed": 1})"),
             "one of them"));
  CHECK(says(table_refusal(R"({"id": 5, "name": "n", "flags": 50, "raw": "none", "format": "hours-and-milliseconds"})"),
             "powered_ms"));
  CHECK(says(table_refusal(good + "," + good), "attributes[1].id: is in the table twice"));
  CHECK(says(refusal([] { load_smart_table("intell"); }), "intel"));
}
