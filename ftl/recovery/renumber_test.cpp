// New numbers for versions, on a drive that does not keep them. Those that are kept: ftl/blocks/endurance_life_test.cpp.
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a drive that keeps no versions goes on as before when they are used up") {
  DriveConfig plain = striped_drive();
  DriveConfig renumbered = plain;
  renumbered.ftl.most_versions = 40'000;  // 16,384 physical pages
  Drive a(plain, Clock::untimed), b(renumbered, Clock::untimed);
  for (Drive* drive : {&a, &b}) {
    drive->forget_versions();
    REQUIRE_FALSE(drive->medium().keeps_versions());
    RandomStream random(5, "requests");
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t page = random.below(plain.logical_pages());
      const Op op = random.chance(1, 10) ? Op::trim : Op::write;
      REQUIRE(testing::execute(*drive, op, page * 4096, 4096, Nanoseconds{0}).status == Status::ok);
    }
  }
  CHECK(number(b.ftl().newest_version()) <= 40'000);
  for (std::uint32_t l = 0; l < plain.logical_pages(); ++l) REQUIRE(a.ftl().find(Lpn{l}).ppn == b.ftl().find(Lpn{l}).ppn);
  CHECK(a.counters().media_write_bytes() == b.counters().media_write_bytes());
  CHECK(inspect(b.ftl()).empty());
}
