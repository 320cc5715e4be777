// New numbers for versions: those that the flash does not keep, and the seam of those that it does. Lives of drives that are
// renumbered again and again: ftl/blocks/endurance_life_test.cpp.
#include <algorithm>
#include <vector>

#include "ftl/layer/ftl.h"
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
    REQUIRE_FALSE(drive->medium().pages().keeps_versions());
    RandomStream random(5, "requests");
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t page = random.below(plain.logical_pages());
      const Op op = random.chance(1, 10) ? Op::trim : Op::write;
      REQUIRE(testing::execute(*drive, op, page * 4096, 4096, Nanoseconds{0}).status == Status::ok);
    }
  }
  CHECK(number(b.ftl().pages().newest_version()) <= 40'000);
  for (std::uint32_t l = 0; l < plain.logical_pages(); ++l)
    REQUIRE(a.ftl().pages().find(Lpn{l}).ppn == b.ftl().pages().find(Lpn{l}).ppn);
  CHECK(a.counters().media_write_bytes() == b.counters().media_write_bytes());
  CHECK(inspect(b.ftl()).empty());
}

// Versions up to the hundredth get ranks, the others follow behind them: the two at the seam must not become one.
TEST_CASE("versions given anew keep the order of all writes and trims") {
  DriveConfig config = theory_drive(9, 8, 40);
  config.ftl.buffer.coalescing_pages = 0;
  config.ftl.most_versions = 200;  // 80 physical pages
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  for (std::uint32_t seam = 95; seam <= 105; ++seam) {
    CAPTURE(seam);
    Medium medium(layout);
    WorkList work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false);
    Ftl ftl(config.ftl, 40, medium, work, 1);
    RandomStream random(seam, "pages");
    std::vector<std::uint32_t> order;  // of pages, by their last write
    for (std::uint32_t i = 1; i <= 201; ++i) {
      // Two pages in turn, which nothing overwrites later, and any of the others.
      const std::uint32_t other = i == 89 ? 0 : 1 + static_cast<std::uint32_t>(random.below(37));
      const std::uint32_t page = i == seam ? 38 : i == seam + 1 ? 39 : other;
      if (i == 90) ftl.trim(Lpn{0}, 1);
      REQUIRE(ftl.write(Lpn{page}, 0, 4096));
      order.erase(std::remove(order.begin(), order.end(), page), order.end());
      order.push_back(page);
    }
    REQUIRE(number(ftl.pages().newest_version()) < 200);
    order.erase(std::find(order.begin(), order.end(), 0u));
    for (std::size_t i = 1; i < order.size(); ++i)
      REQUIRE(number(ftl.pages().version(Lpn{order[i - 1]})) < number(ftl.pages().version(Lpn{order[i]})));
    // The trim's number is still that of the write before it: smaller than any that came later.
    const std::uint32_t trimmed = number(medium.trims().version(Lpn{0}));
    CHECK((trimmed > 0 && trimmed < number(ftl.pages().version(Lpn{38}))));
    CHECK(inspect(ftl).empty());
  }
}
