// Failures one by one, ends of life and edges: the part of them that a commit can afford.
#include "sim/testing/test.h"
#include "validation/soak/edges.h"
#include "validation/soak/endings.h"
#include "validation/soak/fault_sweep.h"
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

TEST_CASE("whichever program fails, alone or with all after it, nothing acknowledged is lost and the blocks add up") {
  check_sweep(FlashFault::program, FaultSpan::single, 9);
  check_sweep(FlashFault::program, FaultSpan::from_then_on, 23);
}

TEST_CASE("whichever erase fails, alone or with all after it, nothing acknowledged is lost and the blocks add up") {
  check_sweep(FlashFault::erase, FaultSpan::single, 5);
  check_sweep(FlashFault::erase, FaultSpan::from_then_on, 11);
}

TEST_CASE("whichever read fails, alone or with all after it, it is said and nothing else is lost") {
  check_sweep(FlashFault::read, FaultSpan::single, 61);
  check_sweep(FlashFault::read, FaultSpan::from_then_on, 211);
}

TEST_CASE("two failures together are no worse than two failures") {
  for (const FlashFault kind : {FlashFault::program, FlashFault::erase, FlashFault::read}) {
    const SweepReached reached = sweep_pairs(4, kind, 40, "");
    INFO(reached.first_failure);
    CHECK(reached.failures == 0);
  }
}

TEST_CASE("a failure is planned where it is said: that operation fails, and no other") {
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

TEST_CASE("twenty drives die with all that they acknowledged") {
  const EndingsReached reached = end_drives(0, 20, "");
  INFO(reached.first_failure);
  CHECK(reached.failures == 0);
  CHECK(reached.drives == 20);
}

TEST_CASE("a drive has enough flash for ten times its capacity of random writes, or is refused with a sum that holds") {
  const EdgesReached reached = try_edges(1, 0, 20);
  INFO(reached.first_failure);
  CHECK(reached.failures == 0);
  CHECK(reached.lives >= 5);
  CHECK(reached.refusals >= 15);
}
