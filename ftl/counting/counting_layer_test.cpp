// Counting and placing give exactly the same results.
#include "ftl/counting/counting_layer.h"
#include "ftl/counting/steady_run.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

void check_equal(const WaQuestion& question, const std::string& what) {
  INFO(what);
  REQUIRE(steady_run_problem(question).empty());
  SteadyRunOptions options;
  options.most_batches = options.least_batches = 4;
  options.seed = 7;
  const SteadyRun counted = steady_run(question, options);
  options.by_slots = true;
  const SteadyRun placed = steady_run(question, options);
  CHECK(counted.wa == placed.wa);
  CHECK(counted.half_width == placed.half_width);
  CHECK(counted.host_writes == placed.host_writes);
  CHECK(counted.erases == placed.erases);
  CHECK(counted.mapped_share == placed.mapped_share);
  CHECK(counted.total_blocks == placed.total_blocks);
  CHECK(counted.erases > 0);
}

WaQuestion small_question() {
  WaQuestion question;
  question.blocks = 200;
  question.pages_per_block = 32;
  question.op = 0.1;
  return question;
}

}  // namespace

TEST_CASE("counting alone gives the counts of a whole layer under every policy, workload and trim") {
  using Policy = WaQuestion::Policy;
  using Workload = WaQuestion::Workload;
  for (const Policy policy : {Policy::greedy, Policy::random, Policy::d_choices, Policy::fifo, Policy::windowed_greedy,
                              Policy::cost_benefit, Policy::cost_benefit_kawaguchi}) {
    for (const Workload workload : {Workload::uniform, Workload::sequential, Workload::hot_cold, Workload::zipf}) {
      for (const double trim : {0.0, 0.2}) {
        WaQuestion question = small_question();
        question.policy = policy;
        question.workload = workload;
        question.trim = trim;
        check_equal(question, "policy " + std::to_string(static_cast<int>(policy)) + ", workload " +
                                  std::to_string(static_cast<int>(workload)) + ", trims " + std::to_string(trim));
      }
    }
  }
}

TEST_CASE("counting equals placing with more superblocks than two bytes can number, and with one page in each") {
  WaQuestion question = small_question();
  question.blocks = 70'000;
  question.pages_per_block = 2;
  check_equal(question, "many superblocks");
  question = small_question();
  question.blocks = 3'000;
  question.pages_per_block = 1;
  check_equal(question, "pages that are superblocks");
}

TEST_CASE("counting equals placing for items of one compressed size") {
  WaQuestion question = small_question();
  question.stored_low = question.stored_high = 2;
  question.units = 3;
  check_equal(question, "two thirds");
}
