// The wear, reserve and traffic that a drive reports. The SMART tables made of them are tested in
// validation/results/health/smart_test.cpp.
#include "ftl/drive/smart_log.h"

#include <algorithm>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

TEST_CASE("factory-bad blocks have no erases and are not part of the reserve") {
  DriveConfig config = striped_drive();
  config.ftl.failure_reserve = 1;
  config.ftl.gc.start_free = 4;
  Drive whole(config, Clock::untimed);
  config.endurance.factory_bad_per_million = 20'000;  // a mean of 20 of 1,024
  Drive drive(config, Clock::untimed);
  const Defects& defects = drive.flash().health->defects();
  REQUIRE(defects.factory_bad() > 0);
  CHECK(block_erases(drive).size() == defects.block_count() - defects.factory_bad());
  const SmartLog log = smart_log(drive, Nanoseconds{0});
  CHECK(log.reserve_blocks + defects.factory_bad() == smart_log(whole, Nanoseconds{0}).reserve_blocks);
  CHECK(log.reserve_left_percent == 100);
  CHECK(log.grown_bad_blocks == 0);
}

TEST_CASE("host traffic is reported in bytes, programs of the flash in pages") {
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
  for (int turn = 0; turn < 2; ++turn) fill(drive);
  const std::uint64_t taken = 3 * drive.config().user_bytes;  // overwritten in order, so nothing is relocated
  const SmartLog later = smart_log(drive, Nanoseconds{0});
  CHECK((log.flash_fills == 0 && later.media_write_bytes == taken));
  CHECK(later.flash_fills == taken / drive.config().geometry.bytes());
}

TEST_CASE("a drive without spare superblocks has no reserve that could be used up") {
  DriveConfig config = striped_drive();
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  while (superblocks_needed(config.ftl, layout, config.logical_pages()) < layout.superblocks()) config.user_bytes += 4096;
  Drive drive(config, Clock::untimed);
  const SmartLog log = smart_log(drive, Nanoseconds{0});
  CHECK(log.reserve_blocks == 0);
  CHECK(log.reserve_left_percent == 100);
  CHECK(smart_log(Drive(striped_drive(), Clock::untimed), Nanoseconds{0}).reserve_blocks > 0);
}

TEST_CASE("wear of blocks is reported relative to their erase limit, if there is one") {
  DriveConfig config = striped_drive();
  config.ftl.failure_reserve = 1;
  config.ftl.gc.start_free = 4;
  config.endurance.program_erase_limit = 40;
  config.endurance.worn_cycles = 7;
  Drive drive(config, Clock::untimed);
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\nio_size=300m\n");
  const std::vector<std::uint32_t> erases = block_erases(drive);
  std::uint64_t sum = 0;
  for (const std::uint32_t of_block : erases) sum += of_block;
  const auto [least, most] = std::minmax_element(erases.begin(), erases.end());
  REQUIRE(*least > 7);
  REQUIRE(*most > *least + 1);
  const SmartLog log = smart_log(drive, Nanoseconds{0});
  CHECK(log.has_endurance_limit == 1);
  CHECK(log.mean_erases == sum / 1024);
  CHECK(log.most_erases == *most);
  CHECK(log.wear_range_percent == (*most - *least) * 100 / 40);
  CHECK(log.life_used_percent == sum * 100 / (1024 * 40));
  config.endurance = {};
  config.endurance.worn_cycles = 7;
  const SmartLog without = smart_log(Drive(config, Clock::untimed), Nanoseconds{0});
  CHECK((without.has_endurance_limit == 0 && without.wear_range_percent == 0 && without.life_used_percent == 0));
  CHECK((without.mean_erases == 7 && without.most_erases == 7));
}

TEST_CASE("times are reported in milliseconds, power cuts and power cycles as counts") {
  Drive drive(striped_drive(), Clock::timed);
  const Completion done = execute(drive, Op::write, 0, 4096, ns(7'000'000));
  Lifecycle(drive).power_cycle();
  Lifecycle(drive).power_cycle();
  const SmartLog log = smart_log(drive, done.completed + ns(3'000'000'000));
  CHECK(log.powered_ms == (done.completed.count() + 3'000'000'000) / 1'000'000);
  CHECK((log.power_cuts == 2 && log.power_cycles == 3));
  CHECK((log.busy_ms == 0 && log.has_busy_time == 0 && log.read_only == 0));
}

TEST_CASE("a drive without a good block reports no wear") {
  DriveConfig config = striped_drive();
  config.ftl.failure_reserve = 1;
  config.ftl.gc.start_free = 4;
  config.endurance.factory_bad_per_million = 1'000'000;
  Drive drive(config, Clock::untimed);
  CHECK(block_erases(drive).empty());
  const SmartLog log = smart_log(drive, Nanoseconds{0});
  CHECK((log.mean_erases == 0 && log.most_erases == 0));
}

TEST_CASE("a drive with a power model reports how long it was busy with requests") {
  DriveConfig config = striped_drive();
  config.power = PowerConfig{};
  Drive drive(config, Clock::timed);
  Nanoseconds now{0}, busy{0};
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Nanoseconds at = now + ns(1'000'000);
    now = execute(drive, Op::write, i * 65'536, 65'536, at).completed;
    busy += now - at;
  }
  const SmartLog log = smart_log(drive, now);
  CHECK(log.has_busy_time == 1);
  CHECK(log.busy_ms == busy.count() / 1'000'000);
  CHECK((log.busy_ms > 20 && log.busy_ms + 200 <= log.powered_ms));
}

TEST_CASE("each failure of the flash is reported, and that the drive has become read-only") {
  DriveConfig config = striped_drive();
  config.ftl.failure_reserve = 1;
  config.ftl.gc = {0, 4, 6, 8};
  config.endurance.planned_programs = {100, 102, 30'000, std::uint64_t{1} << 60};
  config.endurance.planned_erases = {3, 4};
  Drive drive(config, Clock::untimed);
  RandomStream random(4, "last writes");
  const auto write = [&] {
    return execute(drive, Op::write, random.below(config.logical_pages()) * 4096, 4096, ns(0)).status;
  };
  while (drive.counters().erase_failures == 0) REQUIRE(write() == Status::ok);
  REQUIRE(write() == Status::ok);
  SmartLog log = smart_log(drive, Nanoseconds{0});
  CHECK((log.program_failures == 3 && log.read_only == 0));
  CHECK((log.erase_failures == drive.counters().erase_failures && log.erase_failures > 0));
  while (write() == Status::ok) {
  }
  log = smart_log(drive, Nanoseconds{0});
  CHECK(log.read_only == 1);
  CHECK((log.program_failures == drive.counters().program_failures && log.program_failures > 3));
}
