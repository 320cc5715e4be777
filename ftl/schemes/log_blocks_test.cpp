#include "ftl/schemes/log_blocks.h"

#include <array>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

DriveConfig log_drive(MappingConfig::Scheme scheme, std::uint32_t superblocks) {
  DriveConfig drive = theory_drive(superblocks - 1, 4, 12);
  drive.ftl.mapping.scheme = scheme;
  drive.ftl.mapping.log_superblocks = 2;
  drive.ftl.buffer.coalescing_pages = 0;
  return drive;
}

void write(Drive& drive, std::uint64_t page) {
  const Request request{0, Op::write, page * 4096, 4096, drive.idle_from()};
  drive.submit({&request, 1});
  Completion done;
  while (drive.wait(kNever, {&done, 1}) > 0) REQUIRE(done.status == Status::ok);
}

// A drive with the least spare space and superblocks of two dies.
DriveConfig two_dies(MappingConfig::Scheme scheme) {
  DriveConfig drive = log_drive(scheme, 3 + 2 + kMergeReserve);
  drive.geometry.channels = 2;
  drive.ftl.superblock = {2, 1};
  drive.user_bytes = 3 * 8 * 4096;
  return drive;
}

// Small writes as fast as RAM accepts them, and reads on the first die only. That die soon lags several merges behind the
// other one, and both lag behind the layer.
void write_at_once(Drive& drive, RandomStream& random, int writes) {
  const Nanoseconds now = drive.idle_from();
  for (int i = 0; i < writes; ++i) {
    const Request request{0, Op::write, random.below(24) * 4096, 4096, now};
    drive.submit({&request, 1});
    for (int reads = 0; reads < 30; ++reads) {
      const Request read{0, Op::read, 2 * random.below(12) * 4096, 4096, now};
      drive.submit({&read, 1});
    }
  }
  Completion done;
  while (drive.wait(kNever, {&done, 1}) > 0) REQUIRE(done.status == Status::ok);
}

struct FilledDrive {
  explicit FilledDrive(MappingConfig::Scheme scheme)
      : drive(two_dies(scheme), Clock::timed),
        journal(drive.medium().layout(), drive.config().nand, drive.config().geometry.pages_per_block) {
    for (std::uint64_t page = 0; page < 24; ++page) write(drive, page);
    Lifecycle(drive).keep_journal(&journal);
  }
  Drive drive;
  FlashJournal journal;
};

void check_cuts_at_every_moment(std::uint64_t seeds) {
  using Scheme = MappingConfig::Scheme;
  for (const Scheme scheme : {Scheme::block, Scheme::bast, Scheme::fast}) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      std::vector<Nanoseconds> moments;
      for (std::size_t cut = 0; cut == 0 || cut < moments.size(); ++cut) {
        INFO("scheme " << static_cast<int>(scheme) << ", seed " << seed << ", cut " << cut);
        FilledDrive filled(scheme);
        RandomStream random(seed, "writes");
        write_at_once(filled.drive, random, 30);
        for (const TimedOperation& operation : filled.journal.known()) {
          if (cut == 0 && operation.asked.kind != FlashOperation::Kind::read)
            moments.push_back(operation.start + Nanoseconds{1});
        }
        REQUIRE(moments.size() > 40);
        Lifecycle(filled.drive).power_cycle(filled.journal, moments[cut], [&random](std::uint32_t count) {
          return static_cast<std::uint32_t>(random.below(count));
        });
        REQUIRE(inspect(filled.drive.ftl()).empty());
        write_at_once(filled.drive, random, 30);
        REQUIRE(inspect(filled.drive.ftl()).empty());
      }
    }
  }
}

}  // namespace

TEST_CASE("each log superblock has its own frontier, and merges have one") {
  CHECK(log_drive(MappingConfig::Scheme::bast, 8).ftl.frontiers().size() == 3);
}

TEST_CASE("a log superblock with pages of two logical superblocks in place becomes the home of only one") {
  Drive drive(log_drive(MappingConfig::Scheme::fast, 10), Clock::untimed);
  for (const std::uint64_t page : {11u, 1u, 6u, 11u}) write(drive, page);  // slots 0 to 3 of the log superblock
  Lifecycle(drive).power_cycle();
  for (int i = 0; i < 20; ++i) {
    for (const std::uint64_t page : {1u, 2u, 3u, 11u}) write(drive, page);
    REQUIRE(inspect(drive.ftl()).empty());
  }
  CHECK(drive.ftl().pages().version(Lpn{6}) == Version{3});
}

TEST_CASE("a full log superblock in order becomes the home, a partial one is filled up, and any other is copied") {
  Drive drive(log_drive(MappingConfig::Scheme::bast, 10), Clock::untimed);
  const auto merges = [&] {
    const SchemeCounts logs = drive.ftl().scheme().counts();
    return std::array{logs.switch_merges, logs.partial_merges, logs.full_merges, logs.copied_pages};
  };
  for (const std::uint64_t page : {0u, 1u, 2u, 3u}) write(drive, page);
  for (const std::uint64_t page : {0u, 1u}) write(drive, page);  // the full log has become the home
  CHECK(merges() == std::array<std::uint64_t, 4>{1, 0, 0, 0});
  for (const std::uint64_t page : {4u, 8u}) write(drive, page);  // a third log: the least recent one gets pages 2 and 3
  CHECK(merges() == std::array<std::uint64_t, 4>{1, 1, 0, 2});
  for (const std::uint64_t page : {5u, 5u, 8u, 0u}) write(drive, page);  // 4, 5, 5 are not in order
  CHECK(merges() == std::array<std::uint64_t, 4>{1, 1, 1, 4});
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("a merge after a power cut that is interrupted repeatedly needs only one superblock") {
  Drive drive(log_drive(MappingConfig::Scheme::fast, 5), Clock::timed);
  for (std::uint64_t page = 0; page < 12; ++page) write(drive, page);
  write(drive, 3);  // in a log superblock; one is free now
  FlashJournal journal(drive.medium().layout(), drive.config().nand, drive.config().geometry.pages_per_block);
  Lifecycle(drive).keep_journal(&journal);
  const ChooseFate as_if_done = [](std::uint32_t) { return 0u; };
  Lifecycle(drive).power_cycle(journal, kNever, as_if_done);
  for (int cut = 0; cut < 5; ++cut) {
    std::vector<Nanoseconds> programs;
    for (const TimedOperation& operation : journal.known()) {
      if (operation.asked.kind == FlashOperation::Kind::program) programs.push_back(operation.start);
    }
    REQUIRE(programs.size() == 4);
    // Pages 0 and 1 are copied; the sources of 2 and 3 are still needed.
    Lifecycle(drive).power_cycle(journal, programs[1] + Nanoseconds{1}, as_if_done);
    REQUIRE(inspect(drive.ftl()).empty());
  }
  for (std::uint32_t page = 0; page < 12; ++page)
    CHECK(drive.ftl().pages().version(Lpn{page}) == Version{page == 3 ? 13 : page + 1});
}

TEST_CASE("log superblocks do not run so far ahead of the flash that a power cut leaves none free to merge into") {
  check_cuts_at_every_moment(1);
}

TEST_CASE("log superblocks do not run too far ahead of the flash in any of ten lives", "[.][long]") {
  check_cuts_at_every_moment(10);
}

}  // namespace ftlab
