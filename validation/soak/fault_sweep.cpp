#include <algorithm>

#include "sim/core/check.h"
#include "sim/core/random.h"
#include "validation/soak/sweeps.h"

namespace ftlab::soak {
namespace {

constexpr std::uint64_t kForEver = std::uint64_t{1} << 60;
constexpr std::uint64_t kMostPlaces = 100'000;  // more than any scenario has flash operations
constexpr std::uint64_t kMostFailures = 20;     // after which a sweep gives up

std::string name_of(FlashFault fault) {
  constexpr const char* kFaultNames[] = {"program", "erase", "read"};
  return kFaultNames[static_cast<std::size_t>(fault)];
}

// A drive that may fail reserves a superblock, so the plan of each run is refitted for its kind of failure.
bool plan_failure(RunPlan& plan, FlashFault fault, const PlannedFailures& failures) {
  (fault == FlashFault::program ? plan.drive.endurance.planned_programs
   : fault == FlashFault::erase ? plan.drive.endurance.planned_erases
                                : plan.drive.cells.planned_reads) = failures;
  return refit(plan);
}

bool hit(const RunOutcome& outcome, FlashFault fault) {
  return (fault == FlashFault::program ? outcome.counters.program_failures
          : fault == FlashFault::erase ? outcome.counters.erase_failures
                                       : outcome.spoiled_reads) > 0;
}

// The effects that failures must have by the rules of ftl/blocks/bad_block_table.h. A block that failed an erase is bad. A
// block that failed a program becomes bad when its superblock is erased, and only then. A lost page was reported as
// uncorrectable before.
std::string broken_rule(const RunOutcome& outcome) {
  const Counters& c = outcome.counters;
  if (c.bad_blocks != c.erase_failures + outcome.skipped_erases)
    return std::to_string(c.bad_blocks) + " blocks are bad, " + std::to_string(c.erase_failures) + " failed an erase and " +
           std::to_string(outcome.skipped_erases) + " were spared one";
  if (outcome.skipped_erases > c.program_failures)
    return std::to_string(outcome.skipped_erases) + " blocks were taken out for " + std::to_string(c.program_failures) +
           " failed programs";
  if (c.lost_pages + c.rebuilt_pages > c.uncorrectable_pages)
    return "more pages were lost or rebuilt than were uncorrectable";
  return {};
}

// A sweep repeats a run for each of its operations. A drive with random GC and hardly any spare space has 300,000.
bool short_enough(RunPlan plan, FlashFault fault) {
  constexpr std::uint64_t kMostOperations = 4'000;
  if (!plan_failure(plan, fault, {kForEver, kForEver, 0, 0})) return false;
  return plan.drive.logical_pages() <= 600 && execute(plan).counters.media_operations <= kMostOperations;
}

// The first runs of the swarm whose drives are small, can fail, and can be swept.
std::vector<RunPlan> drawn_scenarios() {
  std::vector<RunPlan> scenarios;
  for (std::uint64_t run = 0; scenarios.size() < kScenarios; ++run) {
    RunPlan plan = drawn_plan(97, run);
    if (plan.drive.ftl.mapping.hybrid() || plan.errs || plan.drive.geometry.pages() > 3'000) continue;
    plan.drive.endurance = {};
    plan.drive.user_bytes = plan.drive.geometry.bytes();  // as large as possible
    plan.fill_first = true;
    plan.operations = 150;
    plan.calm = 30;
    plan.inspect_every = 50;
    plan.host.longest_sectors = std::min(plan.host.longest_sectors, 128u);
    plan.host.read = std::max(plan.host.read, 10u);
    if (short_enough(plan, FlashFault::program) && short_enough(plan, FlashFault::read)) scenarios.push_back(plan);
  }
  return scenarios;
}

// Returns true if the failure occurred.
bool run_with(std::uint32_t index, FlashFault fault, const PlannedFailures& failures, Results& results) {
  RunPlan plan = scenario(index);
  FTLAB_CHECK(plan_failure(plan, fault, failures), "a scenario does not fit its drive");
  const std::string also = failures.again_first > 0    ? " and " + std::to_string(failures.again_first)
                           : failures.last == kForEver ? " and all later ones"
                                                       : "";
  const std::string place = name_of(fault) + " " + std::to_string(failures.first) + also;
  return hit(results.take("faults, scenario " + std::to_string(index) + ", " + place, plan, broken_rule), fault);
}

bool sweep_pairs(std::uint32_t index, FlashFault fault, std::uint64_t pairs, Results& results) {
  RandomStream random(index, "pairs of " + name_of(fault));
  std::uint64_t reach = 16;  // limit of the first place; grows while the second is still reached
  for (std::uint64_t pair = 0; pair < pairs && results.failures < kMostFailures; ++pair) {
    const std::uint64_t first = 1 + random.below(reach);
    const std::uint64_t second = first + 1 + random.below(random.chance(1, 2) ? 4 : reach);
    const bool happened = run_with(index, fault, {first, first, second, second}, results);
    reach = happened ? std::min<std::uint64_t>(reach * 2, kMostPlaces) : std::max<std::uint64_t>(reach / 2, 4);
  }
  return true;
}

}  // namespace

const RunPlan& scenario(std::uint32_t index) {
  FTLAB_CHECK(index < kScenarios, "unknown scenario " + std::to_string(index));
  static const std::vector<RunPlan> scenarios = drawn_scenarios();
  return scenarios[index];
}

bool sweep(std::uint32_t index, FlashFault fault, FaultSpan span, std::uint64_t step, Results& results) {
  if (span == FaultSpan::pair) return sweep_pairs(index, fault, step, results);
  for (std::uint64_t place = 1; place < kMostPlaces && results.failures < kMostFailures; place += step) {
    const std::uint64_t last = span == FaultSpan::single ? place : kForEver;
    if (!run_with(index, fault, {place, last, 0, 0}, results)) return true;
  }
  return false;
}

std::vector<Figure> sweep_all(const SweepAsked& asked) {
  constexpr const char* kSpans[] = {"", " and all after it", " and another"};
  std::vector<Figure> figures;
  for (const FlashFault fault : {FlashFault::program, FlashFault::erase, FlashFault::read}) {
    for (const FaultSpan span : {FaultSpan::single, FaultSpan::from_then_on, FaultSpan::pair}) {
      Results results(asked.corpus);
      std::uint64_t swept = 0;
      const std::uint64_t step = span == FaultSpan::pair ? asked.pairs : asked.stride;
      if (step == 0) continue;
      for (std::uint32_t index = 0; index < asked.scenarios; ++index) swept += sweep(index, fault, span, step, results);
      const std::string what = "the n-th " + name_of(fault) + " fails" + kSpans[static_cast<std::size_t>(span)];
      figures.push_back({what + ": scenarios swept to the end", asked.scenarios, swept, results.failures});
      figures.push_back({what + ": runs", 0, results.counts[Count::runs], 0});
    }
  }
  return figures;
}

}  // namespace ftlab::soak
