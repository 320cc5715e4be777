// Drives that write one bit a cell while less than half of their capacity is in use.
#include <cmath>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/host/host.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

using namespace ftlab;

namespace {

// The flash is the bottleneck: 8 dies of two 4 KiB planes; a program takes 200 us, or 600 us on average with both bits.
DriveConfig fast_drive() {
  DriveConfig drive = striped_drive();
  drive.nand.program_slc = Nanoseconds{200'000};
  drive.nand.bus_bytes_per_s = 1'000'000'000;
  drive.link = {6'000'000'000, Nanoseconds{0}, Nanoseconds{0}};
  drive.controller = {Nanoseconds{100}, Nanoseconds{100}};
  drive.ftl.pslc_mode = {500, 2};
  drive.ftl.gc.pages_per_host_write = 2;
  return drive;
}

std::uint32_t pslc_superblocks(const Drive& drive) {
  std::uint32_t pslc = 0;
  for (std::uint32_t b = 0; b < drive.medium().layout().superblocks(); ++b) {
    pslc +=
        drive.medium().superblocks().programmed(SuperblockId{b}) > 0 && drive.medium().superblocks().pslc(SuperblockId{b});
  }
  return pslc;
}

// Writes MiB [from, to) sequentially; returns MB/s.
double write_mib(Drive& drive, std::uint64_t from, std::uint64_t to) {
  JobContext context;
  context.capacity_bytes = drive.config().user_bytes;
  const JobFile job = parse_job_file(
      "[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrw=write\nbs=128k\niodepth=32\noffset=" + std::to_string(from) +
          "m\nsize=" + std::to_string(to - from) + "m\nend_fsync=1\n",
      "test", context);
  RebasedDevice rebased(drive, drive.idle_from());
  const RunStats stats = run_jobs(rebased, job.jobs, {});
  const JobStats& stats_of_job = stats.jobs.front();
  return static_cast<double>((to - from) << 20) * 1e3 /
         static_cast<double>((stats_of_job.ended - stats_of_job.started).count());
}

}  // namespace

TEST_CASE("below half of its capacity a drive writes one bit a cell, at the speed of pSLC programs") {
  Drive drive(fast_drive(), Clock::timed);
  const double rate = write_mib(drive, 0, 24);
  CHECK(rate == Approx(8 * 2 * 4096 / 200e-6 / 1e6).epsilon(0.03));
  CHECK(pslc_superblocks(drive) == 48);
  DriveConfig without = fast_drive();
  without.ftl.pslc_mode = {};
  Drive plain(without, Clock::timed);
  CHECK(write_mib(plain, 0, 24) == Approx(8 * 2 * 4096 / 600e-6 / 1e6).epsilon(0.03));
}

TEST_CASE("past half of its capacity a drive rewrites its pSLC superblocks, which costs speed until none is left") {
  DriveConfig config = fast_drive();
  Drive drive(config, Clock::timed);
  write_mib(drive, 0, 27);
  CHECK(drive.counters().media_fold_bytes == 0);
  const double reorganising = write_mib(drive, 27, 36);
  CHECK(drive.counters().media_fold_bytes > 0);
  write_mib(drive, 36, 50);
  write_mib(drive, 0, 24);
  CHECK(pslc_superblocks(drive) == 0);
  const double after = write_mib(drive, 24, 48);
  CHECK(reorganising < 0.75 * after);
  CHECK(after == Approx(1048576 / (16 * 600e-6 + 2e-3) / 1e6).epsilon(0.02));  // includes the erase of each superblock
}

TEST_CASE("a trim that empties the drive restores its pSLC mode") {
  Drive drive(fast_drive(), Clock::timed);
  write_mib(drive, 0, 56);
  write_mib(drive, 0, 56);
  const Request trim{1, Op::trim, 0, drive.config().user_bytes, drive.idle_from()};
  drive.submit({&trim, 1});
  Completion done;
  REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
  const std::uint64_t folded = drive.counters().media_fold_bytes;
  write_mib(drive, 0, 8);  // during this, GC of the trimmed superblocks continues
  CHECK(write_mib(drive, 8, 16) == Approx(524288 / (8 * 200e-6 + 2e-3) / 1e6).epsilon(0.1));
  CHECK(drive.counters().media_fold_bytes == folded);
}

TEST_CASE("a power cut preserves which superblocks are pSLC") {
  Drive drive(fast_drive(), Clock::untimed);
  write_mib(drive, 0, 10);
  const std::uint32_t before = pslc_superblocks(drive);
  Lifecycle(drive).power_cycle();
  CHECK(inspect(drive.ftl()).empty());
  CHECK(pslc_superblocks(drive) == before);
  write_mib(drive, 10, 56);
  write_mib(drive, 0, 56);
  CHECK(pslc_superblocks(drive) == 0);
}

TEST_CASE("pSLC mode may be limited to the first thousandth of the pages") {
  DriveConfig config = fast_drive();
  config.ftl.pslc_mode.until_mapped_permille = 1;
  Drive drive(config, Clock::untimed);
  testing::execute(drive, Op::write, 0, 4096, Nanoseconds{0});
  testing::execute(drive, Op::flush, 0, 0, Nanoseconds{0});
  CHECK(pslc_superblocks(drive) == 1);
  write_mib(drive, 0, 4);
  CHECK(pslc_superblocks(drive) <= 1);
}

TEST_CASE("a page with one bit a cell is read in the pSLC read time") {
  for (const bool cache : {false, true}) {
    CAPTURE(cache);
    DriveConfig config = fast_drive();
    if (cache) {
      config.ftl.pslc_mode = {};
      config.ftl.slc.superblocks = 4;
    }
    config.nand.read_slc = Nanoseconds{20'000};
    const auto read_after_write = [](const DriveConfig& drive_config) {
      Drive drive(drive_config, Clock::timed);
      write_mib(drive, 0, 2);
      const Request read{0, Op::read, (2 << 20) - 4096, 4096, drive.idle_from() + Nanoseconds{1'000'000}};
      drive.submit({&read, 1});
      Completion done;
      REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
      return done.parts[static_cast<std::size_t>(LatencyPart::die)];
    };
    CHECK(read_after_write(config) == Nanoseconds{20'000});
    config.ftl.pslc_mode = {};
    config.ftl.slc = {};
    CHECK(read_after_write(config) == Nanoseconds{50'000});
  }
}
