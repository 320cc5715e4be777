// Single failures, ends of life and edge cases, in a selection small enough for every commit.
#include "sim/testing/test.h"
#include "validation/soak/parts.h"
#include "validation/soak/swarm/swarm_run.h"

using namespace ftlab;
using namespace ftlab::soak;

namespace {

void check_sweep(FlashFault kind, FaultSpan span, std::uint64_t stride) {
  SweepReached all;
  for (std::uint32_t index = 0; index < kScenarios; index += 3) all.add(sweep_faults(index, kind, span, stride, ""));
  INFO(all.first_failure);
  CHECK(all.failures == 0);
  CHECK(all.scenarios == kScenarios / 3);
  CHECK(all.runs > all.scenarios);
}

}  // namespace

TEST_CASE("a failed program, alone or with all later ones, loses no acknowledged data, and block counts agree") {
  check_sweep(FlashFault::program, FaultSpan::single, 9);
  check_sweep(FlashFault::program, FaultSpan::from_then_on, 23);
}

TEST_CASE("a failed erase, alone or with all later ones, loses no acknowledged data, and block counts agree") {
  check_sweep(FlashFault::erase, FaultSpan::single, 5);
  check_sweep(FlashFault::erase, FaultSpan::from_then_on, 11);
}

TEST_CASE("a failed read, alone or with all later ones, is reported, and no other data are lost") {
  check_sweep(FlashFault::read, FaultSpan::single, 61);
  check_sweep(FlashFault::read, FaultSpan::from_then_on, 211);
}

TEST_CASE("two failures lose no more than two single failures") {
  for (const FlashFault kind : {FlashFault::program, FlashFault::erase, FlashFault::read}) {
    const SweepReached reached = sweep_pairs(4, kind, 40, "");
    INFO(reached.first_failure);
    CHECK(reached.failures == 0);
  }
}

TEST_CASE("a planned failure hits the given operation and no other") {
  const auto outcome_of = [](FlashFault kind, const PlannedFailures& failures) {
    SwarmPlan plan = scenario(0);
    (kind == FlashFault::program ? plan.drive.endurance.planned_programs : plan.drive.endurance.planned_erases) = failures;
    REQUIRE(refit(plan));
    return execute(plan);
  };
  CHECK(outcome_of(FlashFault::program, {3, 3, 0, 0}).counters.program_failures == 1);
  CHECK(outcome_of(FlashFault::program, {3, 4, 9, 9}).counters.program_failures == 3);
  CHECK(outcome_of(FlashFault::program, {1'000'000, 1'000'000, 0, 0}).counters.program_failures == 0);
  CHECK(outcome_of(FlashFault::erase, {2, 2, 0, 0}).counters.erase_failures == 1);
}

TEST_CASE("twenty drives die with all acknowledged data intact") {
  const EndingsReached reached = end_drives(0, 20, "");
  INFO(reached.first_failure);
  CHECK(reached.failures == 0);
  CHECK(reached.drives == 20);
}

TEST_CASE("a drive accepts random writes of ten times its capacity, or is refused with correct arithmetic") {
  const EdgesReached reached = try_edges(1, 0, 20);
  INFO(reached.first_failure);
  CHECK(reached.failures == 0);
  CHECK(reached.lives >= 5);
  CHECK(reached.refusals >= 15);
}
