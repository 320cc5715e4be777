#include "validation/soak/parts.h"

#include <cstdio>
#include <filesystem>

#include "sim/core/check.h"
#include "sim/core/random.h"
#include "validation/soak/swarm/shrink.h"
#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {
namespace {

constexpr std::uint64_t kForEver = std::uint64_t{1} << 60;
constexpr std::uint64_t kMostPlaces = 100'000;  // more than any scenario has flash operations

PlannedFailures& planned(SwarmPlan& plan, FlashFault kind) {
  switch (kind) {
    case FlashFault::program: return plan.drive.endurance.planned_programs;
    case FlashFault::erase: return plan.drive.endurance.planned_erases;
    case FlashFault::read: break;
  }
  return plan.drive.cells.planned_reads;
}

// A drive that may fail reserves a superblock, so the plan of each run is refitted for its kind of failure.
bool plan_failure(SwarmPlan& plan, FlashFault kind, const PlannedFailures& failures) {
  planned(plan, kind) = failures;
  return refit(plan);
}

std::uint64_t hits(const SwarmOutcome& outcome, FlashFault kind) {
  switch (kind) {
    case FlashFault::program: return outcome.counters.program_failures;
    case FlashFault::erase: return outcome.counters.erase_failures;
    case FlashFault::read: break;
  }
  return outcome.spoiled_reads;
}

// The effects that failures must have by the rules of ftl/blocks/bad_block_table.h. A block that failed an erase is bad. A
// block that failed a program becomes bad when its superblock is erased, and only then. A lost page was reported as
// uncorrectable before.
std::string broken_rule(const SwarmOutcome& outcome) {
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

const char* name_of(FlashFault kind) {
  constexpr const char* kNames[] = {"program", "erase", "read"};
  return kNames[static_cast<std::size_t>(kind)];
}

void keep(const SwarmPlan& plan, const std::string& name, const std::string& reported, const std::string& corpus) {
  if (corpus.empty()) return;
  std::filesystem::create_directories(corpus);
  write_whole((std::filesystem::path(corpus) / (name + ".json")).string(), plan_json(plan, reported));
}

// Returns true if the failure occurred.
bool run_one(const SwarmPlan& plan, FlashFault kind, const std::string& name, const std::string& corpus,
             SweepReached& reached) {
  const SwarmOutcome outcome = execute(plan);
  ++reached.runs;
  const std::string wrong = outcome.failure.empty() ? broken_rule(outcome) : outcome.failure;
  if (!wrong.empty()) {
    ++reached.failures;
    if (reached.first_failure.empty()) reached.first_failure = name + ": " + wrong;
    std::fprintf(stderr, "FAILED: %s: %s\n", name.c_str(), wrong.c_str());
    keep(plan, name, wrong, corpus);
  }
  return hits(outcome, kind) > 0;
}

}  // namespace

void SweepReached::add(const SweepReached& other) {
  scenarios += other.scenarios;
  runs += other.runs;
  failures += other.failures;
  if (first_failure.empty()) first_failure = other.first_failure;
}

namespace {

// A sweep repeats a run for each of its operations. A drive with random GC and hardly any spare space has 300,000.
bool short_enough(SwarmPlan plan, FlashFault kind) {
  constexpr std::uint64_t kMostOperations = 4'000;
  if (!plan_failure(plan, kind, {kForEver, kForEver, 0, 0})) return false;
  return plan.drive.logical_pages() <= 600 && execute(plan).counters.media_operations <= kMostOperations;
}

// The first runs of the swarm whose drives are small, can fail, and can be swept.
std::vector<SwarmPlan> drawn_scenarios() {
  std::vector<SwarmPlan> scenarios;
  for (std::uint64_t run = 0; scenarios.size() < kScenarios; ++run) {
    SwarmPlan plan = drawn_plan(97, run);
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

}  // namespace

const SwarmPlan& scenario(std::uint32_t index) {
  FTLAB_CHECK(index < kScenarios, "unknown scenario " + std::to_string(index));
  static const std::vector<SwarmPlan> scenarios = drawn_scenarios();
  return scenarios[index];
}

SweepReached sweep_faults(std::uint32_t index, FlashFault kind, FaultSpan span, std::uint64_t stride,
                          const std::string& corpus) {
  SweepReached reached;
  const SwarmPlan& base = scenario(index);
  for (std::uint64_t place = 1; place < kMostPlaces; place += stride) {
    SwarmPlan plan = base;
    const std::uint64_t last = span == FaultSpan::single ? place : kForEver;
    FTLAB_CHECK(plan_failure(plan, kind, {place, last, 0, 0}), "a scenario does not fit its drive");
    const std::string name = "faults-" + std::to_string(index) + "-" + name_of(kind) + "-" + std::to_string(place) +
                             (span == FaultSpan::single ? "" : "-on");
    if (!run_one(plan, kind, name, corpus, reached)) {
      ++reached.scenarios;
      break;
    }
  }
  return reached;
}

SweepReached sweep_pairs(std::uint32_t index, FlashFault kind, std::uint64_t pairs, const std::string& corpus) {
  SweepReached reached;
  const SwarmPlan& base = scenario(index);
  RandomStream random(index, std::string("pairs of ") + name_of(kind));
  std::uint64_t reach = 16;  // limit of the first place; grows while the second is still reached
  for (std::uint64_t pair = 0; pair < pairs; ++pair) {
    SwarmPlan plan = base;
    const std::uint64_t first = 1 + random.below(reach);
    const std::uint64_t second = first + 1 + random.below(random.chance(1, 2) ? 4 : reach);
    FTLAB_CHECK(plan_failure(plan, kind, {first, first, second, second}), "a scenario does not fit its drive");
    const std::string name =
        "pairs-" + std::to_string(index) + "-" + name_of(kind) + "-" + std::to_string(first) + "-" + std::to_string(second);
    const bool hit = run_one(plan, kind, name, corpus, reached);
    reach = hit ? std::min<std::uint64_t>(reach * 2, kMostPlaces) : std::max<std::uint64_t>(reach / 2, 4);
  }
  ++reached.scenarios;
  return reached;
}

std::vector<Figure> sweep_all(const SweepAsked& asked) {
  std::vector<Figure> figures;
  for (const FlashFault kind : {FlashFault::program, FlashFault::erase, FlashFault::read}) {
    SweepReached single, on, pairs;
    for (std::uint32_t index = 0; index < asked.scenarios; ++index) {
      single.add(sweep_faults(index, kind, FaultSpan::single, asked.stride, asked.corpus));
      on.add(sweep_faults(index, kind, FaultSpan::from_then_on, asked.stride, asked.corpus));
      if (asked.pairs > 0) pairs.add(sweep_pairs(index, kind, asked.pairs, asked.corpus));
    }
    const std::string what = std::string("the n-th ") + name_of(kind) + " fails";
    figures.push_back({what + ": scenarios swept to the end", asked.scenarios, single.scenarios, single.failures});
    figures.push_back({what + ": runs", 0, single.runs, single.failures});
    figures.push_back({what + " and all after it: scenarios", asked.scenarios, on.scenarios, on.failures});
    figures.push_back({what + " and all after it: runs", 0, on.runs, on.failures});
    if (asked.pairs > 0)
      figures.push_back({what + " and another: runs", asked.pairs * asked.scenarios, pairs.runs, pairs.failures});
  }
  return figures;
}

}  // namespace ftlab::soak
