// Packed pages on flash whose programs fail: where their slots go, how long it takes, and that no page is lost.
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Slots of 512 bytes, 16 per stripe of two planes, so two page programs each; superblocks of 16 stripes on 8 dies.
DriveConfig failing_packs(EnduranceConfig endurance) {
  DriveConfig drive = packing(striped_drive());
  drive.ftl.failure_reserve = 1;
  drive.user_bytes = 48ull << 20;
  drive.endurance = endurance;
  return drive;
}

EnduranceConfig every_program(std::uint32_t so_many) {
  EnduranceConfig endurance;
  endurance.failing_program = so_many;
  return endurance;
}

// Superblock and position of the last slot of a page.
struct Place {
  SuperblockId block;
  std::uint32_t position;
  bool operator==(const Place&) const = default;
};
Place ppn_of(const Drive& drive, std::uint32_t lpn) {
  const Ppn ppn = drive.ftl().pages().find(Lpn{lpn}).ppn;
  return {drive.medium().layout().block_of(ppn), drive.medium().layout().position(ppn)};
}

Nanoseconds write_pages(Drive& drive, std::uint64_t count, std::uint64_t stored) {
  Nanoseconds now{0};
  for (std::uint64_t page = 0; page < count; ++page)
    now = execute(drive, Op::write, page * 4096, 4096, now, stored).completed;
  return now;
}

}  // namespace

// At five slots per page, page 3 has its first slot in stripe 0 and page 6 its last three in stripe 2. The program of stripe
// 1 fails: its 16 slots and that first slot move to the next superblock, where page 6 continues.
TEST_CASE("a failed program of packed pages moves its stripe together with the beginning of its first page") {
  Drive drive(failing_packs(every_program(4)), Clock::untimed);
  write_pages(drive, 7, 625);
  const SuperblockId old = ppn_of(drive, 0).block, next = ppn_of(drive, 3).block;
  CHECK(old != next);
  for (std::uint32_t page = 0; page < 3; ++page) CHECK(ppn_of(drive, page) == Place{old, page * 5 + 4});
  for (std::uint32_t page = 3; page < 7; ++page) CHECK(ppn_of(drive, page) == Place{next, (page - 3) * 5 + 4});
  const PageStore& store = drive.ftl().store();
  CHECK(store.blocks().valid(old) == 15);
  CHECK(store.blocks().valid(next) == 20);
  CHECK(store.blocks().state(old) == BlockState::closed);
  CHECK(drive.medium().superblocks().programmed(old) == 32);
  CHECK(drive.medium().superblocks().programmed(next) == 16);
  CHECK(drive.counters().program_failures == 1);
  CHECK(drive.counters().media_failed_bytes == (16 + 1) * 512);
  CHECK(drive.counters().media_host_bytes == 7 * 5 * 512);
  CHECK(inspect(drive.ftl()).empty());
  execute(drive, Op::flush, 0, 0, Nanoseconds{0});
  Lifecycle(drive).power_cycle();
  for (std::uint32_t page = 0; page < 7; ++page) CHECK(drive.ftl().pages().version(Lpn{page}) == Version{page + 1});
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("packed pages are in the flash one program after the failed one, and not earlier") {
  // Four pages per stripe: the eighth write completes stripe 1, whose program fails; the next program is on another die.
  const Nanoseconds program = ns(500) + transfer_time(8448, 100'000'000) + ns(300'000);
  for (const Nanoseconds early : {ns(1), ns(0)}) {
    Drive drive(failing_packs(every_program(4)), Clock::timed);
    const Nanoseconds there = write_pages(drive, 8, 500) + 2 * program;
    const Completion flush = execute(drive, Op::flush, 0, 0, there - ns(5'000) - early);
    CHECK(drive.counters().program_failures == 1);
    CHECK(part(flush, LatencyPart::die) == early);
  }
}

TEST_CASE("drives that pack behave the same with and without possible failures until the first failure") {
  DriveConfig plain = failing_packs({});
  plain.ftl.failure_reserve = 0;
  plain.ftl.gc = {0, 5, 8, 8};
  DriveConfig mortal = plain;
  mortal.endurance.program_erase_limit = 100'000'000;
  mortal.ftl.failure_reserve = 1;
  Drive a(plain, Clock::untimed), b(mortal, Clock::untimed);
  Signature signatures[2];
  for (Drive* const drive : {&a, &b}) {
    RandomStream random(3, "packs");
    for (int i = 0; i < 60'000; ++i)
      execute(*drive, Op::write, random.below(plain.logical_pages()) * 4096, 4096, ns(0), random.below(1001));
    sign(*drive, signatures[drive == &b]);
  }
  CHECK(a.counters().media_relocation_bytes > 0);
  CHECK(signatures[0].value() == signatures[1].value());
}

TEST_CASE("a drive that packs wears by its flash writes: data that compress to a quarter last four times as long") {
  const auto written = [](std::uint64_t stored) {
    EnduranceConfig endurance;
    endurance.program_erase_limit = 40;
    DriveConfig config = failing_packs(endurance);
    config.user_bytes = 24ull << 20;
    config.ftl.gc.policy = gc_policy_index("fifo");  // wears all superblocks evenly
    Drive drive(config, Clock::untimed);
    RandomStream random(5, "worn packs");
    std::uint64_t pages = 0;
    Completion done;
    do {
      done = execute(drive, Op::write, pages++ % config.logical_pages() * 4096, 4096, ns(0), stored);
    } while (done.status == Status::ok);
    CHECK(done.status == Status::read_only);
    CHECK(inspect(drive.ftl()).empty());
    CHECK(drive.counters().block_erases > 37ull * config.geometry.blocks());
    return pages;
  };
  const std::uint64_t whole = written(1000), quarter = written(250);
  CHECK(static_cast<double>(quarter) / static_cast<double>(whole) == Approx(4).epsilon(0.05));
}

TEST_CASE("a drive that packs fails at the same write after being saved and loaded") {
  EnduranceConfig endurance{60, 100, 20'000, 100'000, 100'000};
  const DriveConfig config = failing_packs(endurance);
  Drive whole(config, Clock::untimed), loaded(config, Clock::untimed);
  RandomStream random(9, "requests");
  const auto write = [&](Drive& drive, const Request& request) { return execute(drive, request).status; };
  const auto next = [&] {
    Request request{0, Op::write, random.below(config.logical_pages()) * 4096, 4096, Nanoseconds{0}};
    request.content = {0, random.below(1001)};
    return request;
  };
  for (int i = 0; i < 40'000; ++i) REQUIRE(write(whole, next()) == Status::ok);
  loaded.load(whole.save());
  for (Status status = Status::ok; status == Status::ok;) {
    const Request request = next();
    status = write(whole, request);
    REQUIRE(write(loaded, request) == status);
  }
  CHECK(whole.ftl().read_only());
  CHECK(whole.counters().program_failures > 0);
  CHECK(whole.save() == loaded.save());
  Drive after(config, Clock::untimed);
  after.load(whole.save());  // also at end of life, with slots that stay in RAM
  CHECK(after.save() == whole.save());
}
