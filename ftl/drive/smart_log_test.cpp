// What a drive tells of its blocks and of their reserve. SMART tables are made of it in
// validation/results/health/smart_test.cpp.
#include "ftl/drive/smart_log.h"

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

TEST_CASE("blocks that were bad from the factory have no erases and are no reserve") {
  DriveConfig config = striped_drive();
  config.ftl.failure_reserve = 1;
  config.ftl.gc.start_free = 4;
  Drive whole(config, Clock::untimed);
  config.endurance.factory_bad_per_million = 20'000;  // 20 of 1,024 in the mean
  Drive drive(config, Clock::untimed);
  const Defects& defects = drive.health()->defects();
  REQUIRE(defects.factory_bad() > 0);
  CHECK(block_erases(drive).size() == defects.block_count() - defects.factory_bad());
  const SmartLog log = smart_log(drive, Nanoseconds{0});
  CHECK(log.reserve_blocks + defects.factory_bad() == smart_log(whole, Nanoseconds{0}).reserve_blocks);
  CHECK(log.reserve_left_percent == 100);
  CHECK(log.grown_bad_blocks == 0);
}

TEST_CASE("what the host moved is told in bytes, what the flash took in pages") {
  Drive drive(striped_drive(), Clock::untimed);
  fill(drive);
  for (std::uint64_t page = 0; page < 10; ++page) execute(drive, Op::read, page * 4096, 4096, (page + 1) * kLater);
  const SmartLog log = smart_log(drive, Nanoseconds{0});
  CHECK(log.host_read_bytes == 10 * 4096);
  CHECK(log.host_write_bytes == drive.config().user_bytes);
  CHECK(log.host_program_pages == drive.config().user_bytes / 4096);
  CHECK(log.background_program_pages == 0);
  CHECK(log.user_bytes == drive.config().user_bytes);
  CHECK(log.flash_bytes == drive.config().geometry.bytes());
}

TEST_CASE("a drive with no superblock beyond those that it needs has no reserve, of which nothing can be used up") {
  DriveConfig config = striped_drive();
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  while (superblocks_needed(config.ftl, layout, config.logical_pages()) < layout.superblocks()) config.user_bytes += 4096;
  Drive drive(config, Clock::untimed);
  const SmartLog log = smart_log(drive, Nanoseconds{0});
  CHECK(log.reserve_blocks == 0);
  CHECK(log.reserve_left_percent == 100);
  CHECK(smart_log(Drive(striped_drive(), Clock::untimed), Nanoseconds{0}).reserve_blocks > 0);
}
