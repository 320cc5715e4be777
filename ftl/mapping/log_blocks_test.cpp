#include "ftl/mapping/log_blocks.h"

#include "ftl/drive.h"
#include "ftl/test_drives.h"
#include "sim/test.h"

namespace ftlab {
namespace {

DriveConfig log_drive(MappingConfig::Scheme scheme, std::uint32_t superblocks) {
  DriveConfig drive = theory_drive(superblocks - 1, 4, 12);
  drive.ftl.mapping.scheme = scheme;
  drive.ftl.mapping.log_superblocks = 2;
  drive.ftl.buffer.held_pages = 0;
  return drive;
}

void write(Drive& drive, std::uint64_t page) {
  const Request request{0, Op::write, page * 4096, 4096, drive.idle_from()};
  drive.submit({&request, 1});
  Completion done;
  while (drive.wait(kNever, {&done, 1}) > 0) REQUIRE(done.status == Status::ok);
}

}  // namespace

TEST_CASE("pages of two logical superblocks that happen to lie in place in one log superblock do not both make it a home") {
  Drive drive(log_drive(MappingConfig::Scheme::fast, 10), Clock::untimed);
  for (const std::uint64_t page : {11u, 1u, 6u, 11u}) write(drive, page);  // places 0 to 3 of the log superblock
  drive.power_cycle();
  for (int i = 0; i < 20; ++i) {
    for (const std::uint64_t page : {1u, 2u, 3u, 11u}) write(drive, page);
    REQUIRE(inspect(drive.ftl()).empty());
  }
  CHECK(drive.ftl().version(Lpn{6}) == Version{3});
}

TEST_CASE("a merge after a power cut that is cut off again and again needs no more than one superblock") {
  Drive drive(log_drive(MappingConfig::Scheme::fast, 5), Clock::timed);
  for (std::uint64_t page = 0; page < 12; ++page) write(drive, page);
  write(drive, 1);  // in a log superblock; one is free now
  FlashJournal journal(drive.medium().layout(), drive.config().nand, drive.config().geometry.pages_per_block);
  drive.keep_journal(&journal);
  const ChooseFate as_if_done = [](std::uint32_t) { return 0u; };
  drive.power_cycle(journal, kNever, as_if_done);
  for (int cut = 0; cut < 5; ++cut) {
    std::vector<Nanoseconds> programs;
    for (const TimedOperation& operation : journal.known()) {
      if (operation.asked.kind == FlashOperation::Kind::program) programs.push_back(operation.start);
    }
    REQUIRE(programs.size() == 4);
    drive.power_cycle(journal, programs[2] + Nanoseconds{1}, as_if_done);
    REQUIRE(inspect(drive.ftl()).empty());
  }
  for (std::uint32_t page = 0; page < 12; ++page) CHECK(drive.ftl().version(Lpn{page}) == Version{page == 1 ? 13 : page + 1});
}

}  // namespace ftlab
