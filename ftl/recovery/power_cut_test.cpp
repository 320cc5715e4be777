// State after a power cut, case by case. Random and exhaustive tests: validation/soak/soak_test.cpp.
#include <utility>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kPage = 4096;

void execute(Drive& drive, Request request) {
  request.issued = drive.idle_from();
  drive.submit({&request, 1});
  Completion done;
  while (drive.wait(kNever, {&done, 1}) > 0) REQUIRE(done.status == Status::ok);
}

void write_page(Drive& drive, std::uint64_t page, std::uint64_t content = 0) {
  execute(drive, {0, Op::write, page * kPage, kPage, {}, 0, false, {content, 1000}});
}
void trim_page(Drive& drive, std::uint64_t page) { execute(drive, {0, Op::trim, page * kPage, kPage}); }
void flush(Drive& drive) { execute(drive, {0, Op::flush, 0, 0}); }

// Stripes of two pages, so that a page can wait in RAM.
DriveConfig two_planes() {
  DriveConfig config = theory_drive(9, 4, 12);
  config.geometry.planes_per_die = 2;
  config.ftl.superblock = {1, 2};
  config.ftl.buffer.coalescing_pages = 0;
  return config;
}

}  // namespace

TEST_CASE("a trimmed page stays trimmed after a power cut, and data written to it later survive the next one") {
  Drive drive(two_planes(), Clock::untimed);
  write_page(drive, 0);
  flush(drive);
  write_page(drive, 1);  // in RAM: lost together with its version, unlike the record of the later trim
  trim_page(drive, 0);
  Lifecycle(drive).power_cycle();
  CHECK(drive.ftl().pages().version(Lpn{0}) == Version{0});
  CHECK(drive.ftl().pages().version(Lpn{1}) == Version{0});
  write_page(drive, 0);
  flush(drive);
  Lifecycle(drive).power_cycle();
  CHECK(drive.ftl().pages().version(Lpn{0}) != Version{0});
}

TEST_CASE("a trim that was not executed yet takes effect after a power cut, with and without shared contents") {
  for (const bool shares : {false, true}) {
    DriveConfig config = two_planes();
    config.ftl.trim.mode = TrimConfig::Mode::deferred;
    config.ftl.trim.pages_per_host_write = 1;
    config.ftl.buffer.power_loss_protected = true;
    if (shares) config.ftl.deduplication = {1 << 20, 1, Nanoseconds{0}, Nanoseconds{0}};
    Drive drive(config, Clock::untimed);
    write_page(drive, 3, 7);
    trim_page(drive, 3);
    Lifecycle(drive).power_cycle();
    CHECK(drive.ftl().pages().version(Lpn{3}) == Version{0});
    CHECK(inspect(drive.ftl()).empty());
  }
}

TEST_CASE("a page of several slots is unmapped after a power cut if one of them is torn") {
  DriveConfig config = theory_drive(8, 4, 8);
  config.ftl.compression = {1024, 0, 1000};
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  for (const bool tears : {false, true}) {
    Medium medium(layout, true);
    WorkList work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false);
    medium.open(SuperblockId{0}, 0);
    // Page 3 is in slots 0 and 1, page 5 in 2 to 5, across the boundary of the stripe.
    medium.program(SuperblockId{0}, 0, std::vector{kNoLpn, Lpn{3}, kNoLpn, kNoLpn},
                   std::vector{Version{0}, Version{1}, Version{0}, Version{0}}, std::vector<std::uint8_t>{0, 2, 0, 0});
    medium.program(SuperblockId{0}, 4, std::vector{kNoLpn, Lpn{5}, kNoLpn, kNoLpn},
                   std::vector{Version{0}, Version{2}, Version{0}, Version{0}}, std::vector<std::uint8_t>{0, 4, 0, 0});
    if (tears) medium.tear(SuperblockId{0}, 0, 4);
    const Ftl ftl(config.ftl, 8, medium, work, 1);
    CHECK(ftl.pages().version(Lpn{3}) == Version{tears ? 0u : 1u});
    CHECK(ftl.pages().version(Lpn{5}) == Version{tears ? 0u : 2u});
    CHECK(inspect(ftl).empty());
  }
}

TEST_CASE("a row that a power cut left without parity gets it before the next data") {
  DriveConfig config = theory_drive(9, 4, 12);
  config.geometry.channels = 2;
  config.ftl.superblock = {2, 1, true};
  config.ftl.buffer.coalescing_pages = 0;
  Drive drive(config, Clock::timed);
  FlashJournal journal(drive.medium().layout(), config.nand, config.geometry.pages_per_block);
  Lifecycle(drive).keep_journal(&journal);
  write_page(drive, 0);
  REQUIRE(journal.known().size() == 2);  // the page and its parity
  const Nanoseconds at = std::max(journal.known()[0].start, journal.known()[1].start) + Nanoseconds{1};
  std::uint32_t asked = 0;
  const FlashJournal::Damage damage = Lifecycle(drive).power_cycle(journal, at, [&asked](std::uint32_t) { return asked++; });
  CHECK(asked == 2);  // the first is done, the second has not begun
  CHECK(damage.undone_slots == 1);
  CHECK(drive.ftl().pages().version(Lpn{0}) == Version{1});
  CHECK(drive.medium().superblocks().programmed(SuperblockId{0}) == 2);
  for (std::uint64_t page = 0; page < 12; ++page) write_page(drive, page);
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("of two copies of one version the relocated one wins, so that its source is stale") {
  const DriveConfig config = theory_drive(8, 4, 8);
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  // A relocation frontier may be opened before the superblock whose pages it takes, or after it; it is closed later.
  for (const auto& [source, first_opened] : {std::pair{0u, 0u}, {0u, 1u}, {1u, 0u}, {1u, 1u}}) {
    Medium medium(layout);
    WorkList work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false);
    for (const std::uint32_t block : {first_opened, 1 - first_opened}) {
      medium.open(SuperblockId{block}, 0);
      for (std::uint32_t page = 0; page < 4; ++page) {
        medium.program(SuperblockId{block}, page, std::vector{Lpn{page}}, std::vector{Version{page + 1}});
      }
    }
    for (const std::uint32_t block : {source, 1 - source}) medium.close(SuperblockId{block});
    const Ftl ftl(config.ftl, 8, medium, work, 1);
    CHECK(ftl.store().blocks().valid(SuperblockId{source}) == 0);
    CHECK(ftl.store().blocks().valid(SuperblockId{1 - source}) == 4);
    CHECK(inspect(ftl).empty());
  }
}

TEST_CASE("of two copies in superblocks that are both open, the one opened last wins") {
  DriveConfig config = theory_drive(9, 4, 8);
  config.ftl.separate_relocation = true;
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  for (const std::uint32_t source : {0u, 1u}) {
    Medium medium(layout);
    WorkList work(config.geometry, config.nand, 2, false);
    for (const std::uint32_t block : {source, 1 - source}) {
      medium.open(SuperblockId{block}, block == source ? 0 : 1);
      for (std::uint32_t page = 0; page < 2; ++page)
        medium.program(SuperblockId{block}, page, std::vector{Lpn{page}}, std::vector{Version{page + 1}});
    }
    const Ftl ftl(config.ftl, 8, medium, work, 1);
    CHECK(ftl.store().blocks().valid(SuperblockId{source}) == 0);
    CHECK(ftl.store().blocks().valid(SuperblockId{1 - source}) == 2);
    for (const std::uint32_t block : {0u, 1u}) CHECK(ftl.store().blocks().state(SuperblockId{block}) == BlockState::open);
    CHECK(inspect(ftl).empty());
  }
}

// Repeated cuts may leave several.
TEST_CASE("of the open superblocks of a frontier the one with most room is filled up, the older one if they are equal") {
  const DriveConfig config = theory_drive(9, 4, 8);
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  const struct {
    std::uint32_t programmed[3];  // pages, in order of opening
    std::uint32_t open;
  } kCases[] = {{{3, 1, 2}, 1}, {{1, 3, 2}, 0}, {{3, 2, 1}, 2}, {{2, 2, 3}, 0}, {{3, 1, 1}, 1}, {{4, 3, 3}, 1}};
  for (const auto& [programmed, open] : kCases) {
    Medium medium(layout);
    WorkList work(config.geometry, config.nand, 1, false);
    std::uint32_t lpn = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      medium.open(SuperblockId{5 - i}, 0);
      for (std::uint32_t page = 0; page < programmed[i]; ++page, lpn = (lpn + 1) % 8)
        medium.program(SuperblockId{5 - i}, page, std::vector{Lpn{lpn}}, std::vector{Version{lpn + 1}});
    }
    const Ftl ftl(config.ftl, 8, medium, work, 1);
    for (std::uint32_t i = 0; i < 3; ++i) {
      CAPTURE(open, i);
      CHECK(ftl.store().blocks().state(SuperblockId{5 - i}) == (i == open ? BlockState::open : BlockState::closed));
      CHECK((medium.superblocks().closed(SuperblockId{5 - i}) == SuperblockRecords::kOpen) == (i == open));
    }
    CHECK(ftl.store().frontiers()[0].next() == programmed[open]);
    CHECK(inspect(ftl).empty());
  }
}

}  // namespace ftlab
