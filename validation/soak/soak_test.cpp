// The long tests, in a selection small enough for every commit: nothing is lost, and each kind of planted error is found.
#include <filesystem>
#include <set>

#include "sim/core/error.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"
#include "validation/soak/run.h"
#include "validation/soak/sweeps.h"

using namespace ftlab;
using namespace ftlab::soak;

namespace {

Results runs(const std::string& kind, std::uint64_t seed, std::uint64_t total, const Lie& lie = nullptr) {
  Asked asked;
  asked.seed = seed;
  asked.total = total;
  asked.most_failures = 1;
  return run(kind_of(kind), asked, lie);
}

bool flush(const Request& request, const RunPlan&) { return request.op == Op::flush; }
bool trim(const Request& request, const RunPlan&) { return request.op == Op::trim; }

Results sweeps(FlashFault fault, FaultSpan span, std::uint64_t step) {
  Results results;
  std::uint32_t swept = 0;
  for (std::uint32_t index = 0; index < kScenarios; index += 3) swept += sweep(index, fault, span, step, results);
  CHECK(swept == kScenarios / 3);
  CHECK(results.counts[Count::runs] > swept);
  INFO(results.first_failure);
  CHECK(results.failures == 0);
  return results;
}

}  // namespace

TEST_CASE("part of the swarm finds no data lost, no data invented and no request outstanding") {
  const Results results = runs("swarm", 20, 400'000);
  INFO(results.first_failure);
  CHECK(results.failures == 0);
  CHECK(results.counts[Count::runs] >= 3);
  CHECK(results.counts[Count::inspections] >= 2 * results.counts[Count::runs]);
}

TEST_CASE("after power cuts at any time, even during recovery, drives hold all durable data and nothing older") {
  const Results results = runs("cuts", 1, 4'000);
  INFO(results.first_failure);
  CHECK(results.failures == 0);
  CHECK(results.counts[Count::nested] > 500);
  CHECK(results.counts[Count::amid_recovery] > 100);
  for (const Figure& figure : figures_of(kind_of("cuts"), {}, results, true)) {
    INFO(figure.name);
    CHECK(passed(figure));
  }
}

TEST_CASE("all power cuts in all short request sequences leave a tiny drive with all durable data") {
  const Exhausted reached = exhaust(4);
  INFO(reached.first_failure);
  CHECK(reached.failures == 0);
  CHECK(reached.sequences == 4 * (6 + 36 + 216 + 1296));
  CHECK(reached.cuts > 10 * reached.sequences);
}

TEST_CASE("drives die with all acknowledged data intact, and not before, if they have exactly enough flash") {
  for (const std::string kind : {"endings", "edges"}) {
    const Results results = runs(kind, 1, 20);
    INFO(results.first_failure);
    CHECK(results.failures == 0);
  }
}

TEST_CASE("a failed program, alone or with all later ones, loses no acknowledged data, and block counts agree") {
  sweeps(FlashFault::program, FaultSpan::single, 9);
  sweeps(FlashFault::program, FaultSpan::from_then_on, 23);
}

TEST_CASE("a failed erase, alone or with all later ones, loses no acknowledged data, and block counts agree") {
  sweeps(FlashFault::erase, FaultSpan::single, 5);
  sweeps(FlashFault::erase, FaultSpan::from_then_on, 11);
}

TEST_CASE("a failed read, alone or with all later ones, is reported, and no other data are lost") {
  sweeps(FlashFault::read, FaultSpan::single, 61);
  sweeps(FlashFault::read, FaultSpan::from_then_on, 211);
}

TEST_CASE("two failures lose no more than two single failures") {
  sweeps(FlashFault::program, FaultSpan::pair, 4);
  sweeps(FlashFault::erase, FaultSpan::pair, 4);
  sweeps(FlashFault::read, FaultSpan::pair, 4);
}

TEST_CASE("a planned failure hits the given operation and no other") {
  const auto counters_of = [](PlannedFailures EnduranceConfig::*planned, const PlannedFailures& failures) {
    RunPlan plan = scenario(0);
    plan.drive.endurance.*planned = failures;
    REQUIRE(refit(plan));
    return execute(plan).counters;
  };
  const auto programs = &EnduranceConfig::planned_programs;
  CHECK(counters_of(programs, {3, 3, 0, 0}).program_failures == 1);
  CHECK(counters_of(programs, {3, 4, 9, 9}).program_failures == 3);
  CHECK(counters_of(programs, {1'000'000, 1'000'000, 0, 0}).program_failures == 0);
  CHECK(counters_of(&EnduranceConfig::planned_erases, {2, 2, 0, 0}).erase_failures == 1);
}

TEST_CASE("every plan of the corpus passes, one with a drive that power cuts leave without room") {
  Results results;
  for (const auto& [name, plan] : read_plans(FTLAB_SOURCE_DIR "/validation/soak/corpus.json")) results.take(name, plan);
  INFO(results.first_failure);
  CHECK(results.failures == 0);
  CHECK(results.counts[Count::out_of_room] == 1);
}

TEST_CASE("drives that do not receive trims or flushes are found out") {
  CHECK(passed(run_canary()));
  CHECK(runs("cuts", 2, 2'000, flush).failures == 1);
  CHECK(runs("cuts", 3, 2'000, trim).failures == 1);
  CHECK(exhaust(2, flush).failures > 0);
}

TEST_CASE("a planted failure shrinks to a few operations and the features that it needs") {
  RunPlan plan;
  std::uint64_t run = 0;
  const auto wanted = [&] { return plan.host.trim > 0 && !plan.drive.ftl.mapping.hybrid() && plan.operations > 2'000; };
  for (;; ++run) {
    plan = drawn_plan(3, run);
    plan.operations = std::min<std::uint64_t>(plan.operations, 20'000);
    if (wanted() && !execute(plan, long_trim).failure.empty()) break;
    REQUIRE(run < 500);
  }
  const Shrunk shrunk = shrink(plan, 1'000, long_trim);
  INFO(plan_json(shrunk.plan, shrunk.outcome.failure));
  CHECK(execute(shrunk.plan).failure == "");
  CHECK(execute(shrunk.plan, long_trim).failure == shrunk.outcome.failure);
  CHECK(shrunk.plan.operations <= 20);
  CHECK((shrunk.plan.host.trim > 0 || shrunk.plan.trim_all));
  CHECK(shrunk.runs < 1'000);
  CHECK(shrunk.plan.drive.ftl.trim.mode != TrimConfig::Mode::off);
  CHECK(shrunk.plan.calm == 0);
  const auto on = [](const RunPlan& of) {
    int count = 0;
    for (const PlanField& field : plan_fields()) count += field.off && field.get(of) != *field.off;
    return count;
  };
  CHECK(on(shrunk.plan) < on(plan) / 2);
}

TEST_CASE("a failing run leaves a shrunk plan in the corpus that fails in the same way") {
  const TestFolder folder;
  Asked asked;
  asked.seed = 3;
  asked.total = 10'000'000;
  asked.most_failures = 1;
  asked.corpus = (folder.path() / "found").string();
  REQUIRE(run(kind_of("cuts"), asked, flush).failures == 1);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(asked.corpus)) {
    ++files;
    CHECK(execute(read_plans(entry.path()).front().plan).failure == "");
    CHECK(execute(read_plans(entry.path()).front().plan, flush).failure != "");
  }
  CHECK(files == 1);
}

TEST_CASE("a plan is unchanged by writing and reading") {
  const TestFolder folder;
  for (std::uint64_t run = 0; run < 200; ++run) {
    const RunPlan plan = kinds()[run % 2].draw(5, run);
    const std::string text = plan_json(plan, "nothing");
    const std::filesystem::path path = folder.path() / "plan.json";
    write_whole(path.string(), text);
    INFO("run " << run);
    const RunPlan again = read_plans(path).front().plan;
    REQUIRE(plan_json(again, "nothing") == text);
    if (run < 16) REQUIRE(execute(plan).state.value() == execute(again).state.value());
  }
}

TEST_CASE("the numbers of a plan have unique names, and an invalid plan is refused") {
  std::set<std::string> names;
  for (const PlanField& field : plan_fields()) CHECK(names.insert(field.name).second);
  const TestFolder folder;
  const std::string path = (folder.path() / "plan.json").string();
  const auto refused = [&](const std::string& text) {
    write_whole(path, text);
    CHECK_THROWS_AS(read_plans(path), ConfigError);
  };
  refused("");
  refused(R"({"told": "x"})");
  refused(R"({"told": "x", "plan": {"gc.policy": "gredy"}})");
  refused(R"({"told": "x", "plan": {"gc.policy": "greedy", "host.dept": 3}})");
  refused(R"({"told": "x", "plan": {"gc.policy": "greedy", "mapping.scheme": 6}})");
  refused(R"({"told": "x", "plan": {"gc.policy": "greedy", "geometry.channels": 4294967296}})");
  refused(R"({"told": "x", "plan": {"gc.policy": "greedy", "geometry.blocks_per_plane": 1}})");
}
