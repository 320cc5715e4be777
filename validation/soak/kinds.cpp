// The kinds of runs beside the swarm itself: drives whose power is cut, drives written until they die, and drives with
// exactly the flash that they need.
#include <algorithm>
#include <string>

#include "ftl/policies/gc_policy.h"
#include "sim/core/random.h"
#include "validation/checks/reference/drawn_designs.h"
#include "validation/soak/runs.h"

namespace ftlab::soak {
namespace {

using testing::Draw;
using testing::Mapping;

// Small drives, so that there are many cuts; without designs for which a cut during flash operations is undefined. Some have
// two superblocks more than they need, because torn stripes take space during relocation.
bool draw_cuts(RunPlan& plan, RandomStream& random) {
  Draw draw{random};
  DriveConfig& drive = plan.drive;
  drive.geometry.channels = draw.of({1, 2});
  drive.geometry.chips_per_channel = draw.of({1, 1, 2});
  drive.geometry.dies_per_chip = 1;
  drive.geometry.planes_per_die = draw.of({1, 2});
  drive.geometry.blocks_per_plane = draw.of({6, 8, 12, 16});
  drive.geometry.pages_per_block = draw.of({2, 4, 8, 16});
  drive.nand.page_order = static_cast<PageOrder>(draw.of({0, 1, 2}));
  drive.endurance = {};
  drive.cells = {};
  drive.ftl.refresh = {};
  drive.ftl.most_versions = 0xffff'fff0;
  drive.link.queue_depth = 0;
  plan.errs = false;
  plan.timed = true;
  plan.trim_all = false;
  plan.host.flush = draw.of({0, 1, 5, 20});
  plan.host.trim = draw.coin() ? 0 : draw.of({2, 8, 30});
  plan.host.longest_sectors = std::min(plan.host.longest_sectors, 4 * std::max(drive.ftl.mapping_bytes / 512, 1u));
  plan.host.batch = 1;
  plan.host.depth = std::min(plan.host.depth, 8u);
  plan.host.rest_ns = draw.of({100'000, 2'000'000, 40'000'000});
  plan.cut_every = draw.of({2, 10, 50, 150, 500});
  plan.operations = 12 * (plan.cut_every + 30);
  plan.calm = 0;
  plan.inspect_every = 500;
  drive.ftl.gc.start_free = drive.ftl.gc.stop_free = 0;  // as few as possible
  drive.user_bytes = drive.geometry.bytes();
  const bool extents = drive.ftl.mapping.scheme == Mapping::extent;  // tight ones relocate for minutes
  if (extents) plan.smallest_map = false;
  if (!refit(plan)) return false;
  const std::uint64_t percent = draw.of({100, 100, 90, 70, 50}) * (extents ? 2 : 3) / 3;
  drive.user_bytes = drive.logical_pages() * percent / 100 * drive.ftl.mapping_bytes;
  if (!drive.ftl.mapping.hybrid()) drive.geometry.blocks_per_plane += draw.of({0, 2}) * drive.ftl.pool_count();
  if (!refit(plan)) return false;
  return Layout(drive.geometry, drive.ftl.superblock, drive.ftl.slot_bytes()).page_count() <= 3'000;
}

// By wear; on every fourth drive programs or erases all fail from some point on, as if a die had failed.
bool draw_ending(RunPlan& plan, RandomStream& random) {
  if (plan.drive.ftl.mapping.hybrid() || plan.drive.geometry.pages() > 1'500) return false;
  EnduranceConfig& endurance = plan.drive.endurance;
  const std::uint64_t specimen = endurance.specimen;
  endurance = {};
  endurance.specimen = specimen;
  endurance.program_erase_limit = static_cast<std::uint32_t>(10 + random.below(41));
  endurance.limit_spread_permille = 200;
  if (random.chance(1, 2)) endurance.factory_bad_per_million = 5'000;
  if (random.chance(1, 2)) endurance.failing_program = static_cast<std::uint32_t>(500 + random.below(5'000));
  if (random.chance(1, 4)) {
    constexpr std::uint64_t kEndless = std::uint64_t{1} << 60;
    PlannedFailures& planned = random.chance(1, 2) ? endurance.planned_programs : endurance.planned_erases;
    planned = {1 + random.below(2'000), kEndless, 0, 0};
  }
  plan.drive.ftl.gc.policy = random.below(gc_policy_kinds().size());
  plan.gc_d = 3;
  plan.gc_window = 4;
  plan.host.read = 10;
  plan.host.write = 90;
  plan.host.trim = 0;
  plan.host.hot_percent = 0;  // otherwise the buffer absorbs most writes
  plan.host.contents = 0;     // otherwise most are deduplicated
  plan.drive.ftl.buffer.coalescing_pages = std::min(plan.drive.ftl.buffer.coalescing_pages, 4u);
  plan.fill_first = true;
  plan.trim_all = false;
  plan.operations = 3'000'000;  // it dies earlier
  plan.calm = 100;
  plan.inspect_every = 5'000;
  return refit(plan);
}

std::string lived_on(const RunOutcome& outcome) { return outcome.read_only ? "" : "the drive lived on"; }

// Random writes of ten times the capacity, over the whole drive. Small, because a full drive has so few stale pages that an
// unlucky policy relocates all of it for each host write.
bool draw_edge(RunPlan& plan, RandomStream& random) {
  const Mapping scheme = plan.drive.ftl.mapping.scheme;
  if (plan.drive.geometry.pages() > 400 || (scheme != Mapping::page && scheme != Mapping::demand)) return false;
  plan.drive.endurance = {};
  plan.errs = false;
  plan.drive.user_bytes = plan.drive.geometry.bytes();  // refit() reduces it to the most that fits
  plan.fill_first = true;
  plan.trim_all = false;
  plan.host = {0, 1, 0, 0};
  plan.host.longest_sectors = std::max<std::uint32_t>(plan.drive.ftl.mapping_bytes / kSectorBytes, 1);
  plan.host.aligned_percent = random.chance(1, 2) ? 100 : 50;
  plan.host.depth = 8;
  plan.host.batch = 4;
  plan.calm = 100;
  if (!refit(plan)) return false;
  plan.operations = std::uint64_t{10} * plan.drive.logical_pages();
  plan.inspect_every = plan.operations / 3 + 1;
  return true;
}

std::string died(const RunOutcome& outcome) { return outcome.read_only ? "a drive at the edge became read-only" : ""; }

// Adapts a plan of the swarm, one that can be adapted.
template <bool (*kAdapt)(RunPlan& plan, RandomStream& random)>
RunPlan adapted(std::uint64_t seed, std::uint64_t run) {
  RandomStream random(seed, "adapted run " + std::to_string(run));
  for (;;) {
    RunPlan plan = drawn_plan(seed, random.below(1'000'000'000));
    if (kAdapt(plan, random)) return plan;
  }
}

constexpr Kind kKinds[] = {
    {"swarm", "Random drives under random workloads and a shadow", Count::operations, drawn_plan, nullptr},
    {"cuts", "Small drives whose power is cut during flash operations", Count::cuts, adapted<draw_cuts>, nullptr},
    {"endings", "Drives that are written until they die", Count::runs, adapted<draw_ending>, lived_on},
    {"edges", "Drives with exactly enough flash, written ten times", Count::runs, adapted<draw_edge>, died},
};

}  // namespace

std::span<const Kind> kinds() { return kKinds; }

}  // namespace ftlab::soak
