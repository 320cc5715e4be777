// Relations between runs that hold for any result: invariance to addresses, clock and size, and the direction in which spare
// space, trims and the choice of policy change write amplification.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "ftl/counting/steady_run.h"
#include "ftl/drive/drive.h"
#include "ftl/policies/gc_policy.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/sound_drive.h"

using namespace ftlab;

namespace {

using Policy = WaQuestion::Policy;
using Work = WaQuestion::Workload;

constexpr Policy kPolicies[] = {Policy::greedy,
                                Policy::random,
                                Policy::d_choices,
                                Policy::fifo,
                                Policy::windowed_greedy,
                                Policy::cost_benefit,
                                Policy::cost_benefit_kawaguchi};

WaQuestion small_question(Policy policy, Work workload, double op) {
  WaQuestion question;
  question.policy = policy;
  question.d = 3;
  question.workload = workload;
  question.op = op;
  question.pages_per_block = 16;
  question.blocks = 128;
  return question;
}

SteadyRun run(const WaQuestion& question) {
  REQUIRE(steady_run_problem(question) == "");
  return steady_run(question, {5, 0.002, 20, 40, false, nullptr});
}

// Three times the 95 % half-width of the difference, which chance exceeds once in 10^8.
double noise(const SteadyRun& a, const SteadyRun& b) {
  return 3 * std::sqrt(a.half_width * a.half_width + b.half_width * b.half_width);
}

std::string words(const WaQuestion& q) {
  return "policy " + std::to_string(static_cast<int>(q.policy)) + ", workload " +
         std::to_string(static_cast<int>(q.workload)) + ", spare " + std::to_string(q.op) + ", trim " +
         std::to_string(q.trim);
}

// Runs the question with each value in turn. Write amplification must never rise.
void check_never_rises(WaQuestion question, double WaQuestion::*value, std::initializer_list<double> values) {
  SteadyRun last;
  last.wa = 1e9;
  for (const double next : values) {
    question.*value = next;
    const SteadyRun now = run(question);
    INFO(words(question) << ": " << now.wa << " after " << last.wa);
    CHECK(now.wa <= last.wa + noise(now, last));
    last = now;
  }
}

// Physical placement of host writes, independent of their logical pages, and all counters.
struct Outcome {
  bool operator==(const Outcome& other) const {
    return std::memcmp(&counters, &other.counters, sizeof counters) == 0 && erases == other.erases &&
           versions == other.versions;
  }
  Counters counters;
  std::vector<std::uint32_t> erases;
  std::vector<std::uint32_t> versions;  // by physical page
};

Outcome outcome_of(const Drive& drive) {
  const Medium& medium = drive.medium();
  Outcome outcome{testing::without_times(drive.counters()),
                  {medium.superblocks().erase_counts().begin(), medium.superblocks().erase_counts().end()},
                  {}};
  for (std::uint32_t ppn = 0; ppn < medium.layout().page_count(); ++ppn) {
    outcome.versions.push_back(number(medium.pages().version(Ppn{ppn})));
  }
  return outcome;
}

using Names = std::vector<std::uint32_t>;  // the address used for each logical page

Names own_names(const DriveConfig& drive) {
  Names names(drive.logical_pages());
  std::iota(names.begin(), names.end(), 0u);
  return names;
}

Names shuffled_names(const DriveConfig& drive) {
  Names names = own_names(drive);
  RandomStream random(19, "names");
  for (std::size_t left = names.size(); left > 1; --left) std::swap(names[left - 1], names[random.below(left)]);
  return names;
}

// Single-page reads, writes and trims, mostly to few pages, one at a time.
Outcome use_pages(const DriveConfig& config, const Names& names, Clock clock) {
  Drive drive(config, clock);
  RandomStream random(11, "pages");
  const std::uint64_t pages = config.logical_pages();
  Completion done;
  Request request;
  request.length_bytes = config.ftl.mapping_bytes;
  for (std::uint64_t i = 0; i < 3 * pages; ++i) {
    const std::uint64_t page = i < pages ? i : random.below(random.chance(2, 3) ? pages / 8 : pages);
    const std::uint64_t kind = i < pages ? 99 : random.below(100);
    request.op = kind < 10 ? Op::read : kind < 15 ? Op::trim : Op::write;
    request.offset_bytes = std::uint64_t{names[page]} * config.ftl.mapping_bytes;
    request.stream = page < pages / 8 ? 1 : 0;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
    if (done.status != Status::ok) FAIL("a request came to nothing");
    request.issued = done.completed;
  }
  return outcome_of(drive);
}

// 32 MiB on 64 superblocks of 128 pages of 4 KiB, with room for the frontiers of every placement.
DriveConfig roomy_drive() {
  DriveConfig drive = striped_drive();
  drive.geometry.pages_per_block = 8;
  drive.user_bytes = 24ull << 20;
  drive.ftl.gc.start_free = 5;
  drive.ftl.gc.stop_free = 6;
  drive.ftl.placement.streams = 2;
  drive.ftl.placement.hot_writes = 2;
  drive.ftl.placement.halve_after_pages = 3000;
  return drive;
}

std::vector<DriveConfig> designs_that_ignore_addresses() {
  std::vector<DriveConfig> designs;
  for (std::size_t policy = 0; policy < gc_policy_kinds().size(); ++policy) {
    designs.push_back(roomy_drive());
    designs.back().ftl.gc.policy = policy;
    designs.back().ftl.gc.values.assign(gc_policy_kinds()[policy].parameters.size(), 3);
    designs.back().ftl.placement.scheme = static_cast<PlacementConfig::Scheme>(policy % 4);
    designs.back().ftl.wear = {true, 2, 3};
  }
  designs.push_back(roomy_drive());
  designs.back().ftl.superblock.parity = true;
  designs.back().ftl.gc.shuffle = true;
  designs.push_back(roomy_drive());
  designs.back().ftl.buffer.coalesce = true;
  designs.back().ftl.slc = {4, 2, false};
  designs.back().nand.program_slc = Nanoseconds{200'000};
  return designs;
}

void map_by(DriveConfig& drive, MappingConfig::Scheme scheme) {
  MappingConfig& mapping = drive.ftl.mapping;
  mapping.scheme = scheme;
  mapping.log_superblocks = 4;
  mapping.cache = {true, 3 * 4096, 4096, 8, 1024, MapCacheConfig::Eviction::lru, 0, true, 0};
  mapping.translation_pages = scheme == MappingConfig::Scheme::demand ? drive.logical_pages() / 1024 : 0;
  mapping.extents = {drive.logical_pages() / 4, 128, 800, 800, 4};
}

std::vector<DriveConfig> designs_that_know_addresses() {
  using Scheme = MappingConfig::Scheme;
  std::vector<DriveConfig> designs;
  for (const Scheme scheme : {Scheme::demand, Scheme::extent, Scheme::block, Scheme::bast, Scheme::fast}) {
    designs.push_back(roomy_drive());
    map_by(designs.back(), scheme);
  }
  designs.push_back(roomy_drive());
  designs.back().ftl.placement.scheme = PlacementConfig::Scheme::pools;
  designs.back().ftl.placement.pools = {{1000, 16}, {5144, 48}};
  return designs;
}

}  // namespace

TEST_CASE("more spare never raises write amplification for any policy and workload") {
  for (const Policy policy : kPolicies) {
    for (const Work workload : {Work::uniform, Work::hot_cold, Work::zipf}) {
      check_never_rises(small_question(policy, workload, 0), &WaQuestion::op, {0.08, 0.12, 0.2, 0.3, 0.5, 1.0});
    }
  }
}

TEST_CASE("more trims never raise write amplification") {
  for (const Policy policy : kPolicies) {
    check_never_rises(small_question(policy, Work::uniform, 0.1), &WaQuestion::trim, {0, 0.05, 0.1, 0.2, 0.3});
  }
}

TEST_CASE("choosing among more superblocks never raises write amplification under uniform writes") {
  for (const double op : {0.1, 0.25, 0.5}) {
    WaQuestion question = small_question(Policy::d_choices, Work::uniform, op);
    SteadyRun last = run(small_question(Policy::random, Work::uniform, op));
    for (const std::uint32_t d : {2u, 4u, 16u}) {
      question.d = d;
      const SteadyRun now = run(question);
      INFO("spare " << op << ", d " << d << ": " << now.wa << " after " << last.wa);
      CHECK(now.wa <= last.wa + noise(now, last));
      last = now;
    }
    const SteadyRun greedy = run(small_question(Policy::greedy, Work::uniform, op));
    CHECK(greedy.wa <= last.wa + noise(greedy, last));
    for (const Policy policy : {Policy::fifo, Policy::windowed_greedy, Policy::random}) {
      const SteadyRun other = run(small_question(policy, Work::uniform, op));
      INFO("policy " << static_cast<int>(policy) << ", spare " << op << ": " << greedy.wa << " against " << other.wa);
      CHECK(greedy.wa <= other.wa + noise(greedy, other));
    }
  }
}

TEST_CASE("doubling blocks and pages does not change write amplification") {
  // One block in N is open: an effect of the order of 1 / N remains.
  for (const Policy policy : kPolicies) {
    for (const Work workload : {Work::uniform, Work::hot_cold}) {
      WaQuestion question = small_question(policy, workload, 0.25);
      question.blocks = 256;
      const SteadyRun one = run(question);
      question.blocks = 512;
      const SteadyRun two = run(question);
      INFO(words(question) << ": " << one.wa << " and " << two.wa << ", noise " << noise(one, two));
      CHECK(std::abs(one.wa - two.wa) <= noise(one, two) + one.wa / 256);
    }
  }
}

TEST_CASE("permuting addresses changes nothing if the design ignores addresses") {
  for (const DriveConfig& drive : designs_that_ignore_addresses()) {
    INFO("policy " << drive.ftl.gc.policy << ", placement " << static_cast<int>(drive.ftl.placement.scheme));
    const Outcome own = use_pages(drive, own_names(drive), Clock::untimed);
    REQUIRE(own.counters.media_relocation_bytes > 0);
    CHECK(use_pages(drive, shuffled_names(drive), Clock::untimed) == own);
  }
}

TEST_CASE("permuting addresses changes results if the design uses addresses") {
  for (const DriveConfig& drive : designs_that_know_addresses()) {
    INFO("mapping " << static_cast<int>(drive.ftl.mapping.scheme));
    const Outcome own = use_pages(drive, own_names(drive), Clock::untimed);
    CHECK_FALSE(use_pages(drive, shuffled_names(drive), Clock::untimed) == own);
  }
}

TEST_CASE("the clock changes no placement and no counter in any design") {
  std::vector<DriveConfig> designs = designs_that_ignore_addresses();
  for (const DriveConfig& drive : designs_that_know_addresses()) designs.push_back(drive);
  for (const DriveConfig& drive : designs) {
    INFO("mapping " << static_cast<int>(drive.ftl.mapping.scheme) << ", policy " << drive.ftl.gc.policy << ", placement "
                    << static_cast<int>(drive.ftl.placement.scheme));
    CHECK(use_pages(drive, own_names(drive), Clock::timed) == use_pages(drive, own_names(drive), Clock::untimed));
  }
}
