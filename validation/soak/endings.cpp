#include "validation/soak/parts.h"

#include <cstdio>
#include <filesystem>

#include "ftl/policies/gc_policy.h"
#include "sim/core/random.h"
#include "validation/soak/swarm/swarm_run.h"

namespace ftlab::soak {
namespace {

constexpr std::uint64_t kEndless = std::uint64_t{1} << 60;

// By wear; on every fourth drive programs or erases all fail from some point on, as if a die had failed.
void make_mortal(SwarmPlan& plan, std::uint64_t index, RandomStream& random) {
  EnduranceConfig& endurance = plan.drive.endurance;
  const std::uint64_t specimen = endurance.specimen;
  endurance = {};
  endurance.specimen = specimen;
  endurance.program_erase_limit = static_cast<std::uint32_t>(10 + random.below(41));
  endurance.limit_spread_permille = 200;
  if (random.chance(1, 2)) endurance.factory_bad_per_million = 5'000;
  if (random.chance(1, 2)) endurance.failing_program = static_cast<std::uint32_t>(500 + random.below(5'000));
  if (index % 4 != 3) return;
  PlannedFailures& planned = random.chance(1, 2) ? endurance.planned_programs : endurance.planned_erases;
  planned = {1 + random.below(2'000), kEndless, 0, 0};
}

void make_busy(SwarmPlan& plan) {
  plan.host.read = 10;
  plan.host.write = 90;
  plan.host.trim = 0;
  plan.host.hot_percent = 0;  // otherwise the buffer absorbs most writes
  plan.drive.ftl.buffer.coalescing_pages = std::min(plan.drive.ftl.buffer.coalescing_pages, 4u);
  plan.fill_first = true;
  plan.trim_all = false;
  plan.operations = 3'000'000;  // it dies earlier
  plan.calm = 100;
  plan.inspect_every = 5'000;
}

}  // namespace

SwarmPlan ending(std::uint64_t index) {
  RandomStream random(index, "endings");
  for (;;) {
    SwarmPlan plan = drawn_plan(61, random.below(1'000'000'000));
    if (plan.drive.ftl.mapping.hybrid() || plan.drive.geometry.pages() > 1'500) continue;
    plan.drive.ftl.gc.policy = index % gc_policy_kinds().size();
    plan.gc_d = 3;
    plan.gc_window = 4;
    make_mortal(plan, index, random);
    make_busy(plan);
    if (refit(plan)) return plan;
  }
}

EndingsReached end_drives(std::uint64_t first, std::uint64_t count, const std::string& corpus) {
  EndingsReached reached;
  for (std::uint64_t index = first; index < first + count; ++index) {
    const SwarmPlan plan = ending(index);
    const SwarmOutcome outcome = execute(plan);
    std::string wrong = outcome.failure;
    if (wrong.empty() && !outcome.read_only)
      wrong = "the drive lived on after " + std::to_string(outcome.operations) + " requests";
    if (wrong.empty()) {
      ++reached.drives;
      continue;
    }
    ++reached.failures;
    const std::string name = "ending-" + std::to_string(index);
    if (reached.first_failure.empty()) reached.first_failure = name + ": " + wrong;
    std::fprintf(stderr, "FAILED: %s: %s\n", name.c_str(), wrong.c_str());
    if (corpus.empty()) continue;
    std::filesystem::create_directories(corpus);
    write_whole((std::filesystem::path(corpus) / (name + ".json")).string(), plan_json(plan, wrong));
  }
  return reached;
}

std::vector<Figure> figures_of(std::uint64_t asked, const EndingsReached& reached) {
  return {{"drives written to their end, all acknowledged data read back", asked, reached.drives, reached.failures}};
}

}  // namespace ftlab::soak
