// Renumbering of versions: on flash that keeps no versions, and around the boundary between ranks and kept distances on
// flash that does. Drives that are renumbered many times: ftl/blocks/endurance_life_test.cpp.
#include <algorithm>
#include <vector>

#include "ftl/layer/ftl.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a drive that keeps no versions continues unchanged when they run out") {
  DriveConfig plain = striped_drive();
  DriveConfig renumbered = plain;
  renumbered.ftl.most_versions = 40'000;  // 16,384 physical pages
  Drive a(plain, Clock::untimed), b(renumbered, Clock::untimed);
  for (Drive* drive : {&a, &b}) {
    drive->discard_versions();
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

// Versions up to 100 get ranks, and the others follow: the two at the boundary must not become equal.
TEST_CASE("renumbering keeps the order of all writes and trims") {
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
    std::vector<std::uint32_t> order;  // pages in the order of their last write
    for (std::uint32_t i = 1; i <= 201; ++i) {
      // Two pages in succession that are not overwritten later, otherwise any other page.
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
    // The trim still has the version of the write before it, which is smaller than all later ones.
    const std::uint32_t trimmed = number(medium.trims().version(Lpn{0}));
    CHECK((trimmed > 0 && trimmed < number(ftl.pages().version(Lpn{38}))));
    CHECK(inspect(ftl).empty());
  }
}
