// Compares the simulator with known answers from an independent minimal FTL and from theory. Each case states the accepted
// deviation; if chance is larger, three confidence half-widths of both are accepted.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "ftl/counting/steady_run.h"
#include "models/theory/testing/known_cases.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

void check_case(const nlohmann::json& known, const SteadyRunOptions& options) {
  const WaQuestion question = question_of(known);
  REQUIRE(steady_run_problem(question) == "");
  const SteadyRun run = steady_run(question, options);
  const double reference = known["wa_ref"];
  const double chance = 3 * (run.half_width + known["ci"].get<double>());
  const double accepted = std::max(reference * known["accept_pct"].get<double>() / 100, chance);
  std::string line = known["id"].get<std::string>() + ": simulated " + std::to_string(run.wa) + " +- " +
                     std::to_string(run.half_width) + ", known " + std::to_string(reference) + ", off by " +
                     std::to_string(100 * (run.wa / reference - 1)) + " %";
  if (known["wa_theory"].is_number()) {
    line += ", from theory by " + std::to_string(100 * (run.wa / known["wa_theory"].get<double>() - 1)) + " %";
  }
  if (run.drifting) line += ", drifting";
  UNSCOPED_INFO(line);
  CHECK(std::abs(run.wa - reference) <= accepted);
}

void check_chosen(const std::set<std::string>& chosen) {
  SteadyRunOptions options;
  options.least_batches = options.most_batches = 8;
  std::size_t found = 0;
  for (const auto& known : known_answers()) {
    if (!chosen.contains(known["id"])) continue;
    ++found;
    check_case(known, options);
  }
  CHECK(found == chosen.size());
}

}  // namespace

TEST_CASE("designs of several kinds agree with their known write amplification") {
  check_chosen({"u-fifo-0.5-32", "u-d4-0.28-64", "trim0.4inuse-greedy-0.04-64", "comp1/4-greedy-0.0-64"});
}

TEST_CASE("designs of every kind agree with their known write amplification", "[.][long]") {
  check_chosen({"u-fifo-0.5-32", "u-d4-0.28-64", "u-wgreedy0.05-0.15-64", "u-cb-lfs-0.15-64",
                "hc90/10-shared-greedy-0.28-64", "hc80/20-hc-dchoices10-0.15-64", "u-hostgc-greedy-0.15-64",
                "part-opt-0.28-64", "trim0.4inuse-greedy-0.04-64", "comp1/4-greedy-0.0-64",
                "compvar4-12/16-greedy-0.07-64"});
}

// Checks the cases from the first name with prefix `first` up to the case named `end`, or the last one. The tests below
// cover the whole table in parts of a few CPU minutes.
void check_cases(std::string_view first, std::string_view end) {
  SteadyRunOptions options;
  options.most_batches = 20;
  std::size_t checked = 0;
  for (const nlohmann::json& known : known_answers()) {
    const std::string id = known["id"];
    if (id == end) break;
    if (checked == 0 && !id.starts_with(first)) continue;
    ++checked;
    check_case(known, options);
  }
  CHECK(checked > 1);
}

TEST_CASE("all known answers of uniform writes", "[.][long]") { check_cases("u-", "hc80/20-shared-greedy-0.07-64"); }
TEST_CASE("all known answers of hot and cold data", "[.][long]") {
  check_cases("hc80/20-shared-greedy-0.07-64", "trim0.05inuse-greedy-0.07-64");
}
TEST_CASE("all known answers with trims", "[.][long]") {
  check_cases("trim0.05inuse-greedy-0.07-64", "comp1/2-greedy-0.07-64");
}
TEST_CASE("all known answers of compressed data", "[.][long]") {
  check_cases("comp1/2-greedy-0.07-64", "zipf1.0-fifo-0.15-64");
}
TEST_CASE("all known answers of Zipf and sequential writes", "[.][long]") { check_cases("zipf1.0-fifo-0.15-64", ""); }

TEST_CASE("random victim selection has a write amplification of 1 / (1 - u) for any workload") {
  WaQuestion question;
  question.policy = WaQuestion::Policy::random;
  question.op = 0.28;
  question.blocks = 512;
  for (const auto workload :
       {WaQuestion::Workload::uniform, WaQuestion::Workload::hot_cold, WaQuestion::Workload::sequential}) {
    question.workload = workload;
    const SteadyRun run = steady_run(question, {});
    CHECK(std::abs(run.wa / (1.28 / 0.28) - 1) < 0.01);
  }
}

TEST_CASE("sequential overwriting has a write amplification of 1 under greedy, FIFO and cost-benefit") {
  WaQuestion question;
  question.workload = WaQuestion::Workload::sequential;
  for (const auto policy : {WaQuestion::Policy::greedy, WaQuestion::Policy::fifo, WaQuestion::Policy::cost_benefit,
                            WaQuestion::Policy::cost_benefit_kawaguchi}) {
    question.policy = policy;
    CHECK(steady_run(question, {}).wa == 1.0);
  }
}

TEST_CASE("a setting without room is refused with the calculation") {
  WaQuestion question;
  question.blocks = 16;
  question.op = 0.01;
  question.frontiers = WaQuestion::Frontiers::host_gc;
  CHECK(steady_run_problem(question).find("need 18 blocks; there are 17") != std::string::npos);
}
