// A drive aged once and continued as many designs: another layer takes over the medium.
#include <functional>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/counters.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

DriveConfig roomy_drive() {
  DriveConfig config = striped_drive();
  config.user_bytes = 40ull << 20;
  return config;
}

void write_at_random(Drive& drive, RandomStream& random, int requests, Nanoseconds& now) {
  const std::uint64_t pages = drive.config().user_bytes / 4096;
  for (int i = 0; i < requests; ++i) {
    const Completion done = testing::execute(drive, Op::write, random.below(pages) * 4096, 4096, now);
    REQUIRE(done.status == Status::ok);
    now = done.completed;
  }
}

std::vector<Version> versions(const Drive& drive) {
  std::vector<Version> all;
  for (std::uint32_t lpn = 0; lpn < drive.config().logical_pages(); ++lpn)
    all.push_back(drive.ftl().pages().version(Lpn{lpn}));
  return all;
}

std::uint64_t pages_in_ram(const Drive& drive) {
  std::uint64_t pages = 0;
  for (const Stage& stage : drive.ftl().store().stages()) pages += stage.count();
  return pages;
}

void check_counts(const Drive& drive) {
  CHECK(drive.counters().media_write_bytes() == (drive.medium().pages().programmed() + pages_in_ram(drive)) * 4096);
}

bool mentions(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

using Change = std::function<void(DriveConfig&)>;
std::vector<Change> designs() {
  return {[](DriveConfig&) {},
          [](DriveConfig& d) { d.ftl.gc.policy = gc_policy_index("fifo"); },
          [](DriveConfig& d) { d.ftl.separate_relocation = false; },
          [](DriveConfig& d) {
            d.ftl.mapping.scheme = MappingConfig::Scheme::demand;
            d.ftl.mapping.ram_bytes = 16 << 10;
          },
          [](DriveConfig& d) {
            d.ftl.gc.start_free = 5;
            d.ftl.gc.stop_free = 6;
            d.ftl.placement.scheme = PlacementConfig::Scheme::invalidation_time;
          },
          [](DriveConfig& d) {
            d.ftl.buffer.coalesce = true;
            d.ftl.buffer.coalescing_pages = 64;
          },
          [](DriveConfig& d) {
            d.nand.read = Nanoseconds{90'000};
            d.link.bytes_per_s = 100'000'000;
          }};
}

}  // namespace

TEST_CASE("every design takes over the data of every other one without loss") {
  for (const Change& first : designs()) {
    for (const Change& second : designs()) {
      DriveConfig before = roomy_drive(), after = roomy_drive();
      first(before);
      second(after);
      Drive drive(before, Clock::timed);
      RandomStream random(4, "requests");
      Nanoseconds now{0};
      write_at_random(drive, random, 40'000, now);
      const std::vector<Version> written = versions(drive);
      REQUIRE(redesign_problem(drive, after).empty());
      Lifecycle(drive).redesign(after);
      CHECK(versions(drive) == written);
      check_counts(drive);
      now = drive.idle_from();
      write_at_random(drive, random, 40'000, now);
      CHECK(inspect(drive.ftl()).empty());
      check_counts(drive);
      CHECK(drive.counters().host_write_bytes == 80'000ull * 4096);
    }
  }
}

TEST_CASE("after a power cut a drive counts only data that reached the flash") {
  Drive drive(roomy_drive(), Clock::timed);
  RandomStream random(4, "requests");
  Nanoseconds now{0};
  for (int cut = 0; cut < 20; ++cut) {
    write_at_random(drive, random, 3'001, now);
    Lifecycle(drive).power_cycle();
    check_counts(drive);
  }
}

TEST_CASE("another design continues like a new drive of that design after the same power cut") {
  DriveConfig random_choice = roomy_drive();
  random_choice.ftl.gc.policy = gc_policy_index("random");
  const auto wa_after = [](const DriveConfig& aged_as, const DriveConfig& goes_on_as) {
    Drive drive(aged_as, Clock::untimed);
    RandomStream random(4, "requests");
    Nanoseconds now{0};
    write_at_random(drive, random, 100'000, now);
    Lifecycle(drive).redesign(goes_on_as);
    write_at_random(drive, random, 100'000, now);
    const Counters middle = drive.counters();
    write_at_random(drive, random, 200'000, now);
    const Counters run = difference(drive.counters(), middle);
    return static_cast<double>(run.media_write_bytes()) / static_cast<double>(run.host_write_bytes);
  };
  const double as_random_choice = wa_after(random_choice, random_choice),
               from_greedy = wa_after(roomy_drive(), random_choice);
  CHECK(from_greedy == Approx(as_random_choice).epsilon(0.02));
  CHECK(wa_after(roomy_drive(), roomy_drive()) < as_random_choice * 0.95);
}

TEST_CASE("a design that does not fit is refused with the reason") {
  Drive drive(roomy_drive(), Clock::untimed);
  const auto problem = [&drive](const Change& change) {
    DriveConfig design = roomy_drive();
    change(design);
    return redesign_problem(drive, design);
  };
  CHECK(mentions(problem([](DriveConfig& d) { d.geometry.blocks_per_plane = 32; }), "geometry.blocks_per_plane differs"));
  CHECK(mentions(problem([](DriveConfig& d) { d.geometry.channels = 2; }), "geometry.channels"));
  CHECK(mentions(problem([](DriveConfig& d) { d.ftl.mapping_bytes = 8192; }), "mapping page"));
  CHECK(mentions(problem([](DriveConfig& d) { d.ftl.compression.slot_bytes = 512; }), "slot of compression"));
  CHECK(mentions(problem([](DriveConfig& d) { d.ftl.superblock.dies = 4; }), "dies in a superblock"));
  CHECK(mentions(problem([](DriveConfig& d) { d.user_bytes -= 4096; }), "user capacity"));
  CHECK(mentions(problem([](DriveConfig& d) { d.ftl.mapping.scheme = MappingConfig::Scheme::fast; }), "block-mapped"));
  CHECK(mentions(problem([](DriveConfig& d) { d.ftl.slc.superblocks = 4; }), "pSLC"));
  CHECK(mentions(problem([](DriveConfig& d) { d.ftl.placement.pools.resize(2); }), "placement.pools"));
  // The first of several reasons is reported: flash, layout, capacity, layer, endurance, cell errors.
  const Change all[] = {
      [](DriveConfig& d) { d.cells.worn_cycles = 100; },  [](DriveConfig& d) { d.endurance.worn_cycles = 100; },
      [](DriveConfig& d) { d.ftl.slc.superblocks = 4; },  [](DriveConfig& d) { d.user_bytes -= 4096; },
      [](DriveConfig& d) { d.ftl.mapping_bytes = 8192; }, [](DriveConfig& d) { d.geometry.channels = 2; }};
  DriveConfig design = roomy_drive();
  std::string before;
  for (const Change& change : all) {
    change(design);
    DriveConfig alone = roomy_drive();
    change(alone);
    const std::string told = redesign_problem(drive, design);
    CHECK(told == redesign_problem(drive, alone));
    CHECK(told != before);
    before = told;
  }
}

TEST_CASE("read-ahead stays counted after a redesign") {
  DriveConfig ahead = roomy_drive();
  ahead.controller.read_ahead = {2, 3, 2 * 32 * 4096};
  Drive drive(ahead, Clock::timed);
  Nanoseconds now{0};
  for (std::uint64_t page = 0; page < 256; ++page)
    now = testing::execute(drive, Op::write, page * 4096, 4096, now).completed;
  now = testing::execute(drive, Op::flush, 0, 0, now).completed;
  for (std::uint64_t page = 0; page < 100; ++page)
    now = testing::execute(drive, Op::read, page * 4096, 4096, now + Nanoseconds{1'000'000}).completed;
  const Counters before = drive.counters();
  REQUIRE(before.read_ahead_pages > before.read_ahead_hits);
  REQUIRE(before.read_ahead_hits > 50);
  Lifecycle(drive).redesign(roomy_drive());
  const Counters after = drive.counters();
  CHECK(after.read_ahead_pages == before.read_ahead_pages);
  CHECK(after.read_ahead_hits == before.read_ahead_hits);
  CHECK(after.read_ahead_wasted == before.read_ahead_wasted);
}

TEST_CASE("a redesign must keep the use of superblocks, the flash and its endurance") {
  const auto check = [](DriveConfig has, const Change& change, const char* says) {
    Drive drive(has, Clock::untimed);
    CHECK(redesign_problem(drive, has).empty());
    change(has);
    CHECK(mentions(redesign_problem(drive, has), says));
  };
  DriveConfig slc = roomy_drive();
  slc.ftl.slc.superblocks = 4;
  check(
      slc, [](DriveConfig& d) { d.ftl.slc.cells_per_bit = 3; }, "pSLC cells per bit differs");

  DriveConfig pools = roomy_drive();
  const auto pages = static_cast<std::uint32_t>(pools.logical_pages());
  pools.ftl.placement.scheme = PlacementConfig::Scheme::pools;
  pools.ftl.placement.pools = {{pages / 2, 32}, {pages - pages / 2, 32}};
  check(
      pools, [](DriveConfig& d) { --d.ftl.placement.pools[1].logical_pages; }, "placement.pools differ");
  check(
      pools, [](DriveConfig& d) { ++d.ftl.placement.pools[0].superblocks; }, "placement.pools differ");

  DriveConfig logs = roomy_drive();
  logs.ftl.mapping.scheme = MappingConfig::Scheme::fast;
  logs.ftl.mapping.log_superblocks = 4;
  check(
      logs, [](DriveConfig& d) { d.ftl.mapping.log_superblocks = 5; }, "its log superblocks must stay");
  check(
      logs, [](DriveConfig& d) { d.ftl.mapping.scheme = MappingConfig::Scheme::page; }, "block-mapped");

  check(
      roomy_drive(), [](DriveConfig& d) { d.endurance.worn_cycles = 100; }, "endurance differs");
  check(
      roomy_drive(), [](DriveConfig& d) { d.cells.worn_cycles = 100; }, "cells differs");

  DriveConfig mortal = roomy_drive();
  mortal.endurance.planned_programs = {30'000, std::uint64_t{1} << 60};
  mortal.ftl.failure_reserve = 1;
  mortal.ftl.gc = {0, 4, 6, 8};
  Drive worn_out(mortal, Clock::untimed);
  RandomStream random(4, "last writes");
  const std::uint64_t all = mortal.logical_pages();
  while (!worn_out.ftl().read_only()) testing::execute(worn_out, Op::write, random.below(all) * 4096, 4096, Nanoseconds{0});
  CHECK(mentions(redesign_problem(worn_out, mortal), "read-only"));
}
