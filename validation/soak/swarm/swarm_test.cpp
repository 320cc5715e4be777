// The swarm itself: plans survive a round trip through files, planted failures are found and shrunk, old findings stay
// fixed.
#include "validation/soak/swarm/swarm.h"

#include <filesystem>
#include <set>

#include "sim/core/error.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"
#include "validation/soak/swarm/shrink.h"

using namespace ftlab;
using namespace ftlab::soak;

TEST_CASE("part of the swarm finds no data lost, no data invented and no request outstanding") {
  SwarmAsked asked;
  asked.seed = 20;
  asked.operations = 400'000;
  const SwarmReached reached = run_swarm(asked);
  CHECK(reached.failures == 0);
  CHECK(reached.runs >= 3);
  CHECK(reached.operations >= 400'000);
  CHECK(reached.inspections >= 2 * reached.runs);
}

TEST_CASE("every plan of the corpus passes") {
  const std::vector<Figure> figures = replay_plans({FTLAB_SOURCE_DIR "/validation/soak/corpus.json"});
  REQUIRE(figures.size() == 1);
  CHECK(figures.front().asked > 0);
  CHECK(figures.front().failures == 0);
}

TEST_CASE("a shadow that is told wrongly is found out") { CHECK(passed(run_canary())); }

TEST_CASE("a planted failure shrinks to a few operations and the features that it needs") {
  SwarmPlan plan;
  std::uint64_t run = 0;
  const auto wanted = [&] { return plan.host.trim > 0 && !plan.drive.ftl.mapping.hybrid() && plan.operations > 2'000; };
  for (;; ++run) {
    plan = drawn_plan(3, run);
    plan.operations = std::min<std::uint64_t>(plan.operations, 20'000);
    if (wanted() && !execute(plan, trim_unheard).failure.empty()) break;
    REQUIRE(run < 500);
  }
  const Shrunk shrunk = shrink(plan, 1'000, trim_unheard);
  INFO(plan_json(shrunk.plan, shrunk.outcome.failure));
  CHECK(execute(shrunk.plan).failure == "");
  CHECK(execute(shrunk.plan, trim_unheard).failure == shrunk.outcome.failure);
  CHECK(shrunk.plan.operations <= 20);
  CHECK((shrunk.plan.host.trim > 0 || shrunk.plan.trim_all));
  CHECK(shrunk.runs < 1'000);
  CHECK(shrunk.plan.drive.ftl.trim.mode != TrimConfig::Mode::off);
  CHECK(shrunk.plan.calm == 0);
  int on = 0;
  for (const PlanField& field : plan_fields()) on += field.off && field.get(shrunk.plan) != *field.off;
  int on_before = 0;
  for (const PlanField& field : plan_fields()) on_before += field.off && field.get(plan) != *field.off;
  CHECK(on < on_before / 2);
}

TEST_CASE("a failing run leaves a shrunk plan in the corpus that fails in the same way") {
  const TestFolder folder;
  SwarmAsked asked;
  asked.seed = 3;
  asked.runs = 60;
  asked.most_failures = 1;
  asked.corpus = (folder.path() / "found").string();
  const SwarmReached reached = run_swarm(asked, trim_unheard);
  REQUIRE(reached.failures == 1);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(asked.corpus)) {
    ++files;
    CHECK(execute(read_plans(entry.path()).front().plan).failure == "");
    CHECK(execute(read_plans(entry.path()).front().plan, trim_unheard).failure != "");
  }
  CHECK(files == 1);
}

TEST_CASE("a plan is unchanged by writing and reading") {
  const TestFolder folder;
  for (std::uint64_t run = 0; run < 200; ++run) {
    const SwarmPlan plan = drawn_plan(5, run);
    const std::string text = plan_json(plan, "nothing");
    const std::filesystem::path path = folder.path() / "plan.json";
    write_whole(path.string(), text);
    INFO("run " << run);
    REQUIRE(plan_json(read_plans(path).front().plan, "nothing") == text);
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
