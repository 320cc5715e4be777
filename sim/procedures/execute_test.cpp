#include "sim/procedures/execute.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/config/refusal.h"
#include "sim/procedures/procedure_report.h"
#include "sim/procedures/testing/device.h"
#include "sim/testing/test.h"

using namespace ftlab;
using testing::ObedientDeviceUnderTest;
using testing::PlainDeviceUnderTest;

namespace {

constexpr std::uint64_t kCapacity = 8u << 20;

Procedure procedure_of(const std::string& steps, const std::string& variables = "{}",
                       const std::vector<std::string>& settings = {}) {
  const std::string text = "{\"name\": \"test\", \"variables\": " + variables + ", \"steps\": [" + steps + "]}";
  return read_procedure(parse_document(text, "test.json"), settings);
}

JobContext context() {
  JobContext context;
  context.capacity_bytes = kCapacity;
  context.include = [](const std::string& name) -> std::string {
    if (name == "jobs/reads.fio")
      return "[reads]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=read\nbs=${bs}\nsize=64k\n";
    throw ConfigError({name, 0}, "", "no such file");
  };
  return context;
}

const std::string kReads = R"({"step": "job", "name": "reads", "lines": ["rw=read", "bs=${bs}", "size=64k"]})";

ProcedureRecord execute_on(DeviceUnderTest& device, const Procedure& procedure) {
  return execute(procedure, device, context(), {});
}

}  // namespace

TEST_CASE("steps follow one another on one clock, idle time included") {
  PlainDeviceUnderTest tested(kCapacity);
  const Procedure procedure = procedure_of(kReads + R"(, {"step": "idle", "seconds": 3}, )" + kReads, R"({"bs": "4k"})");
  const ProcedureRecord record = execute_on(tested, procedure);
  const Nanoseconds run{16 * 100'000};
  REQUIRE(record.steps.size() == 3);
  CHECK(record.steps[0].ended == run);
  CHECK(record.steps[1].ended == run + Nanoseconds{3'000'000'000});
  CHECK(record.steps[2].started == record.steps[1].ended);
  CHECK(tested.plain.all[16].issued == record.steps[2].started);
  CHECK(record.steps[2].figures->value(Track::Figure::iops) == Approx(10'000));
}

TEST_CASE("a number of a step may have a unit, given directly, by a variable or by a setting") {
  const auto idle_ns = [](const std::string& seconds, const std::string& variable,
                          const std::vector<std::string>& settings) {
    PlainDeviceUnderTest tested(kCapacity);
    const Procedure procedure =
        procedure_of(R"({"step": "idle", "seconds": )" + seconds + "}", R"({"pause": )" + variable + "}", settings);
    return execute_on(tested, procedure).steps[0].ended;
  };
  const Nanoseconds three_minutes{180'000'000'000};
  CHECK(idle_ns("180", "1", {}) == three_minutes);
  CHECK(idle_ns(R"("3min")", "1", {}) == three_minutes);
  CHECK(idle_ns(R"("${pause}")", R"("3min")", {}) == three_minutes);
  CHECK(idle_ns(R"("${pause}")", "1", {"pause=180000ms"}) == three_minutes);
  CHECK_THROWS_AS(idle_ns(R"("${pause}")", "1", {"pause=1500ms"}), ConfigError);
}

TEST_CASE("a repeat nests its lists, the first outermost, and its replicates innermost") {
  PlainDeviceUnderTest tested(kCapacity);
  const Procedure procedure =
      procedure_of(R"({"step": "repeat", "over": ["bs", "n"], "replicates": 2, "steps": [)" + kReads + "]}",
                   R"({"bs": ["4k", "8k"], "n": [1, 2, 3]})", {"n=7,8"});
  const ProcedureRecord record = execute_on(tested, procedure);
  REQUIRE(record.steps.size() == 8);
  CHECK(record.steps[0].values == Values{{"bs", "4k"}, {"n", "7"}, {"replicate", "1"}});
  CHECK(record.steps[1].values == Values{{"bs", "4k"}, {"n", "7"}, {"replicate", "2"}});
  CHECK(record.steps[2].values == Values{{"bs", "4k"}, {"n", "8"}, {"replicate", "1"}});
  CHECK(record.steps[7].values == Values{{"bs", "8k"}, {"n", "8"}, {"replicate", "2"}});
  CHECK(record.steps[0].figures->requests[0] == 16);
  CHECK(record.steps[7].figures->requests[0] == 8);
  const std::string csv = procedure_csv(procedure, record);
  CHECK(csv.starts_with("step,folder,name,round,bs,n,replicate,started_s,"));
  CHECK(csv.find("\n8,08-reads,reads,,8k,8,2,") != std::string::npos);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 9);
}

TEST_CASE("a job file sees the procedure's variables as its environment") {
  PlainDeviceUnderTest tested(kCapacity);
  execute_on(tested, procedure_of(R"({"step": "job", "file": "jobs/reads.fio"})", R"({"bs": "32k"})"));
  CHECK(tested.plain.all.size() == 2);
  CHECK(tested.plain.all[0].length_bytes == 32768);
}

TEST_CASE("fills write the device the given number of times") {
  ObedientDeviceUnderTest tested(kCapacity);
  const Procedure procedure = procedure_of(R"({"step": "precondition", "pattern": "sequential", "times": 2},)"
                                           R"({"step": "age", "pattern": "random", "times": "${n}", "block_bytes": 8192})",
                                           R"({"n": 3})");
  const ProcedureRecord record = execute_on(tested, procedure);
  CHECK(record.steps[0].figures->bytes[1] == 2 * kCapacity);
  CHECK(record.steps[0].figures->requests[1] == 2 * kCapacity / 131072);
  CHECK(record.steps[1].figures->bytes[1] == 3 * kCapacity);
  CHECK(record.steps[1].figures->requests[1] == 3 * kCapacity / 8192);
  CHECK(tested.reported == std::vector<std::string>{"untimed", "timed"});
}

TEST_CASE("aging by counting is passed to the device, after any steps") {
  ObedientDeviceUnderTest tested(kCapacity);
  const std::string age = R"({"step": "age", "pattern": "random", "times": 3, "by": "counting"})";
  execute_on(tested, procedure_of(R"({"step": "idle", "seconds": 1},)" + age, "{}"));
  CHECK(tested.reported == std::vector<std::string>{"age " + std::to_string(3 * kCapacity)});
  CHECK(tested.plain.all.empty());
  const auto reported = [&](const std::string& steps) {
    return refusal([&] { execute_on(tested, procedure_of(steps, R"({"bs": "4k"})")); });
  };
  CHECK(reported(kReads + "," + age + "," + age) == "accepted");
  const std::string large = reported(R"({"step": "age", "pattern": "random", "by": "counting", "block_bytes": 16384})");
  CHECK(large.find("steps[0] (age): counts whole pages of the drive's map, and blocks of another size change more or less "
                   "than one (got 16384; allowed: \"block_bytes\": 4096, or \"by\": \"requests\"") != std::string::npos);
  CHECK(reported(R"({"step": "age", "pattern": "sequential", "by": "counting"})")
            .find("steps[0].by: counts random writes only") != std::string::npos);
  CHECK(reported(R"({"step": "age", "pattern": "random", "by": "counting", "iodepth": 4})").find("iodepth") !=
        std::string::npos);
  PlainDeviceUnderTest real(kCapacity);
  CHECK(refusal([&] { execute_on(real, procedure_of(age, "{}")); }).find("cannot be counted: the device is a real device") !=
        std::string::npos);
  CHECK(refusal([&] { execute_on(real, procedure_of(age, "{}")); }).find("allowed: \"by\": \"requests\"") !=
        std::string::npos);
}

TEST_CASE("a state of --precondition is passed to the device with the seed of the procedure, and runs no jobs") {
  ObedientDeviceUnderTest tested(kCapacity);
  const std::string steps = kReads + R"(,{"step": "age", "name": "aged", "state": "steady"})";
  const Procedure procedure = procedure_of(steps, R"({"bs": "4k"})");
  const ProcedureRecord record = execute_on(tested, procedure);
  CHECK(tested.reported == std::vector<std::string>{"steady, seed 1"});
  CHECK((record.steps.size() == 2 && !record.steps[1].figures && record.steps[1].folder.empty()));
  const nlohmann::json json = procedure_json(procedure, record, tested.device().info());
  CHECK(json["report"]["ageing"] == "the state steady of --precondition");
  const auto refused = [](const std::string& keys) {
    ObedientDeviceUnderTest device(kCapacity);
    return refusal([&] { execute_on(device, procedure_of(R"({"step": "age", )" + keys + "}", "{}")); });
  };
  CHECK(refused(R"("state": "random")") == "accepted");
  CHECK(refused(R"("state": "worn")").find("steps[0].state: is not a known name (got \"worn\"; allowed: sequential, random, "
                                           "steady") != std::string::npos);
  for (const char* key : {R"("pattern": "random")", R"("times": 2)", R"("by": "counting")", R"("iodepth": 4)"})
    CHECK(refused(R"("state": "random", )" + std::string(key)).find("stands beside \"state\"") != std::string::npos);
  PlainDeviceUnderTest real(kCapacity);
  CHECK(refusal([&] { execute_on(real, procedure); }).find("the device is a real device") != std::string::npos);
}

TEST_CASE("a purge by trim covers the device once, a trim its range") {
  PlainDeviceUnderTest tested(kCapacity);
  execute_on(
      tested,
      procedure_of(R"({"step": "purge", "how": "trim"}, {"step": "trim", "offset_bytes": 4096, "length_bytes": 8192})"));
  REQUIRE(tested.plain.all.size() == 2);
  CHECK(tested.plain.all[0].length_bytes == kCapacity);
  CHECK(tested.plain.all[1].op == Op::trim);
  CHECK(tested.plain.all[1].offset_bytes == 4096);
  CHECK(tested.plain.all[1].length_bytes == 8192);
}

TEST_CASE("steps that need a simulated drive are refused on a real device before anything starts") {
  const std::string kSteps[] = {R"({"step": "purge", "how": "new-drive"})", R"({"step": "age", "pattern": "random"})",
                                R"({"step": "snapshot", "name": "a"})", R"({"step": "power_cycle"})",
                                R"({"step": "job", "name": "v", "lines": ["rw=write", "size=64k", "verify=md5"]})"};
  for (const std::string& step : kSteps) {
    PlainDeviceUnderTest tested(kCapacity);
    const Procedure procedure = procedure_of(kReads + "," + step, R"({"bs": "4k"})");
    const std::string message = refusal([&] { execute_on(tested, procedure); });
    CHECK(message.find("cannot be done here: the device is a real device") != std::string::npos);
    CHECK(tested.plain.all.empty());
  }
}

TEST_CASE("snapshots, power cycles and new drives reach the device in order") {
  ObedientDeviceUnderTest tested(kCapacity);
  execute_on(tested,
             procedure_of(R"({"step": "snapshot", "name": "a"}, {"step": "power_cycle"}, {"step": "restore", "name": "a"},)"
                          R"({"step": "purge", "how": "new-drive"})"));
  CHECK(tested.reported == std::vector<std::string>{"keep a", "power cycle", "take back a", "replace"});
}

TEST_CASE("rounds end with the first steady window") {
  PlainDeviceUnderTest tested(kCapacity);
  const Procedure procedure =
      procedure_of(R"({"step": "rounds", "track": {"figure": "iops"}, "steps": [)" + kReads + "]}", R"({"bs": "4k"})");
  const ProcedureRecord record = execute_on(tested, procedure);
  REQUIRE(record.rounds.size() == 1);
  CHECK(record.rounds[0].judged.reached);
  CHECK(record.rounds[0].judged.rounds == 5);
  CHECK(record.rounds[0].judged.first_round == 1);
  CHECK(record.steps.back().round == 5);
  CHECK(record.steps.back().folder == "05-reads");
}

TEST_CASE("rounds that never become steady end with the last one allowed, as the report states") {
  PlainDeviceUnderTest tested(kCapacity);
  const Procedure procedure = procedure_of(
      R"({"step": "rounds", "most": 7, "track": {"figure": "latency_mean"}, "steps": [)" + kReads + "]}", R"({"bs": "4k"})");
  ProcedureOptions options;
  options.ran = [&tested](const StepRecord&, const JobFile&, const RunStats&) {
    tested.plain.service += Nanoseconds{30'000};
  };
  const ProcedureRecord record = execute(procedure, tested, context(), options);
  CHECK_FALSE(record.rounds[0].judged.reached);
  CHECK(record.rounds[0].judged.rounds == 7);
  const auto json = procedure_json(procedure, record, tested.plain.info());
  CHECK(json["steady_state_reached"] == false);
  CHECK(json["rounds"][0]["slope_per_round"].get<double>() == Approx(30'000).epsilon(0.01));
}

TEST_CASE("errors found by a rehearsal are refused with their place") {
  const auto refused = [](const std::string& steps, const std::string& variables = R"({"bs": "4k", "list": [1, 2]})") {
    ObedientDeviceUnderTest tested(kCapacity);
    const Procedure procedure = procedure_of(steps, variables);
    const std::string message = refusal([&] { execute_on(tested, procedure); });
    CHECK(tested.plain.all.empty());
    return message;
  };
  CHECK(refused(R"({"step": "restore", "name": "x"})").find("names no snapshot") != std::string::npos);
  CHECK(refused(R"({"step": "idle", "seconds": "${list}"})").find("has no one value here") != std::string::npos);
  CHECK(refused(R"({"step": "idle", "seconds": "${bs}"})").find("is out of range or no integer") != std::string::npos);
  CHECK(refused(R"({"step": "trim", "offset_bytes": 8388608})").find("reaches beyond the device") != std::string::npos);
  CHECK(refused(R"({"step": "trim", "length_bytes": 700})").find("whole sectors") != std::string::npos);
  CHECK(refused(R"({"step": "job", "lines": ["rw=raed"]})").find("steps[0].lines, below [job]):2: rw") != std::string::npos);
  CHECK(refused(R"({"step": "job", "file": "none.fio"})").find("no such file") != std::string::npos);
  const std::string track =
      R"({"step": "rounds", "track": {"figure": "iops", "where": {"bs": "64k"}}, "steps": [)" + kReads + "]}";
  CHECK(refused(track).find("names 0 rows of each round") != std::string::npos);
}

TEST_CASE("two runs of a job within a procedure differ, two procedures with one seed are identical") {
  const std::string job =
      R"({"step": "job", "lines": ["rw=randread", "bs=4k", "norandommap", "number_ios=50", "randrepeat=0"]})";
  const Procedure procedure = procedure_of(job + "," + job);
  const auto offsets = [&procedure](std::uint64_t seed) {
    PlainDeviceUnderTest tested(kCapacity);
    ProcedureOptions options;
    options.seed = seed;
    execute(procedure, tested, context(), options);
    std::vector<std::uint64_t> all;
    for (const Request& request : tested.plain.all) all.push_back(request.offset_bytes);
    return all;
  };
  const auto once = offsets(3);
  CHECK(once == offsets(3));
  CHECK(once != offsets(4));
  CHECK(std::vector(once.begin(), once.begin() + 50) != std::vector(once.begin() + 50, once.end()));
}

TEST_CASE("steps with the same own seed run identically") {
  const std::string job =
      R"({"step": "job", "seed": 8, "lines": ["rw=randread", "bs=4k", "norandommap", "number_ios=50", "randrepeat=0"]})";
  PlainDeviceUnderTest tested(kCapacity);
  execute_on(tested, procedure_of(job + "," + job));
  REQUIRE(tested.plain.all.size() == 100);
  for (std::size_t i = 0; i < 50; ++i) CHECK(tested.plain.all[i].offset_bytes == tested.plain.all[i + 50].offset_bytes);
}
