// R10: what is on the disk before the first write, and after a crash.
#include "validation/measure/preparation.h"

#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>

#include "sim/testing/files.h"
#include "validation/measure/testing/facts.h"
#include "validation/results/result_folder.h"

using namespace ftlab;
using namespace ftlab::testing;
using nlohmann::json;

namespace {

PreparationRecord preparation() {
  PreparationRecord preparation;
  preparation.facts = idle_drive();
  preparation.facts.context.model = "FAST DRIVE";
  preparation.facts.context.firmware = "XCV1";
  preparation.intent = discarding(preparation.facts);
  preparation.intent.range = {4096, 8192};
  preparation.seed = 42;
  preparation.work = "[global]\nrw=randwrite\n";
  preparation.plan = {{"write_bytes", 4096}};
  return preparation;
}

json read(const std::string& path) { return json::parse(std::ifstream(path)); }

}  // namespace

TEST_CASE("R10_the_preamble_has_identity_firmware_seed_plan_ranges_and_time") {
  const auto shown = preparation_json(preparation());
  CHECK(shown["device"]["serial"] == "S1");
  CHECK(shown["device"]["model"] == "FAST DRIVE");
  CHECK(shown["device"]["firmware"] == "XCV1");
  CHECK(shown["device"]["identity"]["number"] == "8:16");
  CHECK(shown["device"]["size_bytes"] == 100'030'242'816);
  CHECK(shown["seed"] == 42);
  CHECK(shown["plan"]["write_bytes"] == 4096);
  CHECK(shown["work"] == "[global]\nrw=randwrite\n");
  CHECK(shown["intent"]["first_byte"] == 4096);
  CHECK(shown["intent"]["end_byte"] == 8192);
  CHECK(shown["intent"]["destroy"] == "S1");
  CHECK(shown["time"].get<std::string>().size() == 20);
  CHECK(shown["time"].get<std::string>().back() == 'Z');
}

TEST_CASE("unknown_facts_of_a_target_are_null_in_the_result_and_never_zero") {
  const auto shown = device_json(DeviceFacts{});
  for (const auto& [key, value] : shown.items()) {
    INFO(key);
    CHECK((value.is_null() || key == "path" || key == "resolved"));
  }
}

TEST_CASE("the_computer_is_described_by_its_kernel_and_processor") {
  const TestFolder folder;
  std::filesystem::create_directories(folder.path() / "proc");
  folder.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\nprocessor\t: 1\nmodel name\t: Other\n");
  folder.write("proc/meminfo", "MemTotal:        8000000 kB\n");
  SystemView system;
  system.proc = folder.path() / "proc";
  const auto host = host_json(system);
  CHECK(host["cpu"] == "Some CPU @ 3 GHz");
  CHECK(host["memory"] == "8000000 kB");
  CHECK(host["kernel"].get<std::string>().rfind("Linux ", 0) == 0);
  CHECK(host["cpus"].get<int>() >= 1);
}

TEST_CASE("R10_the_record_survives_a_kill_right_afterwards") {
  const TestFolder folder;
  const auto path = folder / "preamble.json";
  const pid_t child = fork();
  if (child == 0) {
    keep_on_record(path, preparation_json(preparation()));
    raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(read(path)["device"]["serial"] == "S1");
}

TEST_CASE("R10_a_record_is_appended_and_earlier_ones_are_kept") {
  const TestFolder folder;
  const auto path = folder.write("result.jsonl", "{\"earlier\": 1}\n");
  keep_on_record(path, {{"seed", 1}});
  std::ifstream in(path);
  std::string first;
  std::getline(in, first);
  CHECK(first == "{\"earlier\": 1}");
  CHECK(json::parse(in)["seed"] == 1);
}

TEST_CASE("R10_a_failed_record_gives_no_proof") {
  const TestFolder folder;
  CHECK_THROWS_AS(keep_on_record(folder / "missing/preamble.json", {{"seed", 1}}), OutputError);
  CHECK_THROWS_AS(keep_on_record("/dev/full", {{"seed", 1}}), OutputError);
  CHECK_FALSE(std::is_default_constructible_v<OnRecord>);
  CHECK_FALSE(std::is_copy_constructible_v<OnRecord>);
}

TEST_CASE("names_that_are_not_utf_8_do_not_stop_the_record") {
  const TestFolder folder;
  auto odd = preparation();
  odd.facts.path = "/tmp/\xff\xfe";
  const auto path = folder / "preamble.json";
  keep_on_record(path, preparation_json(odd));
  CHECK(read(path)["seed"] == 42);
}
