// Collection ends on drives with the minimum spare, and fails with a clear message on drives with less.
#include "ftl/gc/relocate.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/check.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Four streams, each with its own frontier for relocated pages, or one frontier for everything; superblocks of two stripes
// of eight pages. `missing`: number of superblocks below the minimum spare.
DriveConfig tightest_streams(std::size_t policy, std::uint32_t missing = 0, std::uint32_t streams = 4) {
  constexpr std::uint32_t kLogical = 47;
  DriveConfig config = theory_drive(1, 2, kLogical);
  config.geometry.page_bytes = 32768;
  FtlConfig& ftl = config.ftl;
  ftl.buffer.coalescing_pages = 0;
  ftl.separate_relocation = streams > 1;
  ftl.placement.scheme = streams > 1 ? PlacementConfig::Scheme::streams : PlacementConfig::Scheme::none;
  ftl.placement.streams = streams;
  ftl.gc.policy = policy;
  ftl.gc.values.assign(gc_policy_kinds()[policy].parameters.size(), 2);
  ftl.gc.start_free = ftl.reserve(0);
  ftl.gc.stop_free = ftl.gc.start_free + 1;
  const Layout layout(config.geometry, ftl.superblock, ftl.mapping_bytes);
  config.geometry.blocks_per_plane = static_cast<std::uint32_t>(superblocks_needed(ftl, layout, kLogical)) - missing;
  return config;
}

// Single-page writes to random streams, and flushes (one request in `flush_every`). Returns the number of requests that
// succeeded before the drive refused one.
int write_until_refused(Drive& drive, int requests, std::uint32_t flush_every = 10) {
  RandomStream random(3, "streams");
  const std::uint64_t pages = drive.config().logical_pages();
  for (int done = 0; done < requests; ++done) {
    Request request{0, Op::write, random.below(pages) * 4096, 4096, Nanoseconds{0}};
    request.stream = static_cast<std::uint8_t>(random.below(4));
    if (random.chance(1, flush_every)) request = {0, Op::flush, 0, 0, Nanoseconds{0}};
    drive.submit({&request, 1});
    Completion completion;
    if (drive.wait(kNever, {&completion, 1}) != 1 || completion.status != Status::ok) return done;
  }
  return requests;
}

}  // namespace

TEST_CASE("with the minimum spare, collection ends under every policy, even if erases wait for several frontiers") {
  for (std::size_t policy = 0; policy < gc_policy_kinds().size(); ++policy) {
    INFO("policy " << gc_policy_kinds()[policy].name);
    Drive drive(tightest_streams(policy), Clock::untimed);
    REQUIRE(write_until_refused(drive, 3'000) == 3'000);
    REQUIRE(inspect(drive.ftl()).empty());
  }
}

TEST_CASE("with the minimum spare, flushes during a collection take none of the room that the victim needs") {
  for (std::size_t policy = 0; policy < gc_policy_kinds().size(); ++policy) {
    for (const std::uint32_t pages : {1u, 3u}) {
      INFO("policy " << gc_policy_kinds()[policy].name << ", " << pages << " pages a host write");
      DriveConfig config = tightest_streams(policy, 0, 1);
      config.ftl.gc.pages_per_host_write = pages;
      Drive drive(config, Clock::untimed);
      REQUIRE(write_until_refused(drive, 3'000, 2) == 3'000);
      REQUIRE(inspect(drive.ftl()).empty());
    }
  }
}

// Built here because drive files cannot ask for so few superblocks.
TEST_CASE("with less than the minimum spare a drive refuses writes or fails a check, but never loops forever") {
  int stopped = 0;
  for (std::size_t policy = 0; policy < gc_policy_kinds().size(); ++policy) {
    for (const std::uint32_t missing : {2u, 3u, 4u}) {
      Drive drive(tightest_streams(policy, missing), Clock::untimed);
      try {
        write_until_refused(drive, 3'000);
      } catch (const CheckFailed& failure) {
        ++stopped;
        CHECK(std::string(failure.what()).find("collection in pool 0 goes round: ") != std::string::npos);
      }
    }
  }
  CHECK(stopped > 0);
}

TEST_CASE("an idle GC step moves one stripe, until the configured number of superblocks are free") {
  DriveConfig config = theory_drive(20, 16, 200);  // one page per stripe
  config.ftl.buffer.coalescing_pages = 0;
  config.ftl.gc.idle_stop_free = 6;
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  Medium medium(layout);
  WorkList work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false);
  Ftl ftl(config.ftl, 200, medium, work, 1);
  RandomStream random(2, "pages");
  for (int i = 0; i < 2'000; ++i) REQUIRE(ftl.write(Lpn{static_cast<std::uint32_t>(random.below(200))}, 0, 4096));
  REQUIRE(ftl.store().blocks().free().count(0) < 6);
  ftl.begin_idle_time();
  std::uint32_t moved = 0, most = 0;
  for (;;) {
    const Relocation::Step step = ftl.idle_step(IdleWork::collection);
    if (!step.worked) break;
    moved += step.pages;
    most = std::max(most, step.pages);
  }
  CHECK(most == 1);
  CHECK(moved > 20);
  CHECK(ftl.store().blocks().free().count(0) == 6);
}

TEST_CASE("wear levelling finds nothing to move if all superblocks are free") {
  DriveConfig config = theory_drive(20, 16, 200);
  config.ftl.buffer.coalescing_pages = 0;
  config.ftl.gc.idle_stop_free = 100;  // all of them
  config.ftl.wear = {false, 1, 1};
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  Medium medium(layout);
  WorkList work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false);
  Ftl ftl(config.ftl, 200, medium, work, 1);
  for (std::uint32_t page = 0; page < 192; ++page) REQUIRE(ftl.write(Lpn{page}, 0, 4096));
  ftl.trim(Lpn{0}, 200);
  ftl.begin_idle_time();
  while (ftl.idle_step(IdleWork::collection).worked) continue;
  CHECK(ftl.store().blocks().closed().count(0) == 0);
  CHECK(ftl.store().counts().superblocks_erased >= 12);
}

TEST_CASE("pages moved in random order are read from the planes that hold them") {
  DriveConfig config = theory_drive(9, 4, 200);
  config.geometry.planes_per_die = 2;
  config.geometry.page_bytes = 16384;  // eight pages per stripe
  config.ftl.superblock = {1, 2};
  config.ftl.buffer.coalescing_pages = 0;
  config.ftl.gc.shuffle = true;
  config.nand.scheduling.policy = scheduling_policy_index("read-first");
  config.nand.independent_plane_reads = true;
  for (const bool copyback : {false, true}) {
    config.ftl.gc.copyback = copyback;
    Drive drive(config, Clock::timed);
    FlashJournal journal(drive.medium().layout(), config.nand, config.geometry.pages_per_block);
    Lifecycle(drive).keep_journal(&journal);
    RandomStream random(4, "pages");
    for (int i = 0; i < 1'500; ++i) {
      const Request request{0, Op::write, random.below(200) * 4096, 4096, drive.idle_from()};
      drive.submit({&request, 1});
      Completion done;
      while (drive.wait(kNever, {&done, 1}) > 0) REQUIRE(done.status == Status::ok);
    }
    int single = 0, both = 0;
    for (const TimedOperation& operation : journal.known()) {
      if (operation.asked.kind != FlashOperation::Kind::read &&
          operation.asked.kind != FlashOperation::Kind::read_internally)
        continue;
      REQUIRE(operation.asked.page.planes >= 1);
      REQUIRE(operation.asked.page.first_plane + operation.asked.page.planes <= 2);
      ++(operation.asked.page.planes == 1 ? single : both);
    }
    CHECK(single > 10);
    CHECK(both > 10);
  }
}

TEST_CASE("every erased superblock was collected, and its erase starts after all programs requested before it") {
  DriveConfig config = theory_drive(9, 4, 60);
  config.geometry.channels = 2;
  config.ftl.superblock = {2, 1};
  config.ftl.separate_relocation = true;
  Drive drive(config, Clock::timed);
  FlashJournal journal(drive.medium().layout(), config.nand, config.geometry.pages_per_block);
  Lifecycle(drive).keep_journal(&journal);
  RandomStream random(5, "pages");
  Nanoseconds now{0};
  for (int i = 0; i < 1'000; ++i) {
    const Request request{0, i % 7 == 0 ? Op::read : Op::write, random.below(60) * 4096, 4096, now};
    drive.submit({&request, 1});
    Completion done;
    while (drive.wait(kNever, {&done, 1}) > 0) now = std::max(now, done.completed);
  }
  const PageStore& store = drive.ftl().store();
  CHECK(drive.ftl().collection().collected() == store.counts().superblocks_erased + store.erases().waiting(0));
  Nanoseconds programmed{0};
  int erases = 0;
  for (const TimedOperation& operation : journal.known()) {
    if (operation.asked.kind == FlashOperation::Kind::program) programmed = std::max(programmed, operation.done);
    if (operation.asked.kind != FlashOperation::Kind::erase) continue;
    REQUIRE(operation.start >= programmed);
    ++erases;
  }
  CHECK(erases > 20);
}

TEST_CASE("the more superblocks d-choices draws, the fewer pages are relocated") {
  const auto relocated = [](std::uint32_t d) {
    DriveConfig config = theory_drive(63, 16, 800);
    config.ftl.gc.policy = gc_policy_index("d-choices");
    config.ftl.gc.values = {d};
    Drive drive(config, Clock::untimed);
    write_until_refused(drive, 20'000);
    return drive.counters().media_write_bytes();
  };
  CHECK(relocated(2) < relocated(1) * 98 / 100);
  CHECK(relocated(10) < relocated(2) * 98 / 100);
}

TEST_CASE("collection in one pool does not pad the stages of another") {
  DriveConfig config = theory_drive(1, 4, 24);
  config.geometry.page_bytes = 16384;
  config.geometry.blocks_per_plane = 4;
  config.ftl.buffer.coalescing_pages = 0;
  config.ftl.placement.scheme = PlacementConfig::Scheme::pools;
  config.ftl.placement.pools = {{12, 2}, {12, 2}};  // superblocks of 16 pages: the minimum spare
  Drive drive(config, Clock::untimed);
  const auto write = [&](std::uint64_t page) {
    const Request request{0, Op::write, page * 4096, 4096, Nanoseconds{0}};
    drive.submit({&request, 1});
    Completion completion;
    REQUIRE(drive.wait(kNever, {&completion, 1}) == 1);
    REQUIRE(completion.status == Status::ok);
  };
  write(20);
  RandomStream random(5, "first pool");
  for (int i = 0; i < 1'000; ++i) write(random.below(12));
  const Frontier& other = drive.ftl().store().frontiers()[1];
  CHECK(drive.ftl().collection().collected() > 50);
  CHECK(drive.ftl().store().stages()[1].count() == 1);
  CHECK(other.next() == 1);
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("pSLC cache superblocks are separate from data superblocks") {
  DriveConfig config = striped_drive();
  config.ftl.slc.superblocks = 4;
  config.user_bytes = 50ull << 20;
  const Drive drive(config, Clock::untimed);
  const Blocks& blocks = drive.ftl().store().blocks();
  CHECK(blocks.free().quota(1) == 4);
  CHECK(blocks.free().quota(0) + blocks.free().quota(1) == blocks.count());
}

TEST_CASE("copyback moves pages within a die, but not between dies") {
  for (const std::uint32_t dies : {1u, 2u}) {
    DriveConfig config = theory_drive(20, 16, 200);
    config.geometry.dies_per_chip = dies;
    config.geometry.blocks_per_plane = 21 / dies + 1;
    config.ftl.gc.copyback = true;
    Drive drive(config, Clock::untimed);
    RandomStream random(4, "pages");
    for (int i = 0; i < 3'000; ++i) testing::execute(drive, Op::write, random.below(200) * 4096, 4096, Nanoseconds{0});
    const Counters all = drive.counters();
    REQUIRE(all.relocated_pages > 1'000);
    CHECK((all.copyback_pages == all.relocated_pages) == (dies == 1));
    CHECK(all.copyback_pages > 0);
    // Only host writes crossed the channel once; relocations between dies crossed it twice, out and in.
    CHECK(all.flash_bus_bytes == (3'000 + 2 * (all.relocated_pages - all.copyback_pages)) * 4096);
  }
}

namespace {

// Checks the next choice of the policy: close to the fewest valid pages, and the least worn of such superblocks.
void check_choice(const Drive& drive) {
  const Blocks& blocks = drive.ftl().store().blocks();
  RandomStream random(1, "choice");
  const GcView view{blocks, 0, drive.ftl().store().counts().pages_appended, drive.medium().superblocks().erase_column()};
  const std::unique_ptr<GcPolicy> policy = gc_policy_kinds()[drive.config().ftl.gc.policy].make({});
  const SuperblockId chosen = policy->choose(view, random);
  std::uint32_t fewest = ~0u;
  for (SuperblockId b = blocks.closed().oldest(0); b != kNoBlock; b = blocks.closed().next_younger(b))
    fewest = std::min(fewest, blocks.valid(b));
  const std::uint32_t most = fewest + blocks.layout().data_pages() / 32;
  REQUIRE(blocks.valid(chosen) <= most);
  for (SuperblockId b = blocks.closed().oldest(0); b != kNoBlock; b = blocks.closed().next_younger(b))
    REQUIRE(
        (blocks.valid(b) > most || drive.medium().superblocks().erases(b) >= drive.medium().superblocks().erases(chosen)));
}

}  // namespace

TEST_CASE("a superblock of thousands of pages is collected completely, in runs or stripe by stripe") {
  for (const bool copyback : {false, true}) {
    DriveConfig config = theory_drive(4, 8192, 24'000);
    config.ftl.gc.copyback = copyback;
    Drive drive(config, Clock::untimed);
    RandomStream random(4, "pages");
    for (int i = 0; i < 60'000; ++i) testing::execute(drive, Op::write, random.below(24'000) * 4096, 4096, Nanoseconds{0});
    CHECK(drive.ftl().collection().collected() > 5);
    CHECK(inspect(drive.ftl()).empty());
  }
}

TEST_CASE("greedy-least-worn wears evenly and costs little more than greedy") {
  const auto after = [](const char* policy) {
    DriveConfig config = theory_drive(64, 64, 3'400);
    config.ftl.gc.policy = gc_policy_index(policy);
    Drive drive(config, Clock::untimed);
    RandomStream random(4, "pages");
    for (int i = 0; i < 200'000; ++i) {
      const std::uint64_t page = random.chance(9, 10) ? random.below(340) : random.below(3'400);
      testing::execute(drive, Op::write, page * 4096, 4096, Nanoseconds{0});
      if (i % 1'000 == 999 && policy == std::string("greedy-least-worn")) check_choice(drive);
    }
    const std::span<const std::uint32_t> erases = drive.medium().superblocks().erase_counts();
    const auto [least, most] = std::minmax_element(erases.begin(), erases.end());
    return std::pair(*most - *least, drive.counters().media_write_bytes());
  };
  const auto [spread, written] = after("greedy");
  const auto [even_spread, even_written] = after("greedy-least-worn");
  CHECK(3 * even_spread < spread);
  CHECK(static_cast<double>(even_written) < 1.1 * static_cast<double>(written));
}
