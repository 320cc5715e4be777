// Even pace spreads collection over the host's writes without changing how much is moved.
#include "ftl/gc/even_pace.h"

#include <algorithm>

#include "ftl/layer/ftl.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// A drive with superblocks of 100 slots that has as much room as it should have, two superblocks and a half.
struct Paced {
  EvenPace pace{100, 2, 1};
  std::uint64_t room = 250;
  std::uint32_t valid;  // of its victim

  // One page of the host, then all moves that are due; returns their number.
  std::uint32_t write() {
    std::uint32_t moved = 0;
    for (--room; valid > 0 && pace.due(room, valid); --valid, --room, ++moved) pace.moved(1);
    return moved;
  }
  void end_victim(std::uint32_t valid_of_next) {
    pace.victim_ended();
    room += 100;
    valid = valid_of_next;
  }
};

}  // namespace

TEST_CASE("pages due for each page of the host are valid pages over stale ones") {
  Paced drive{.valid = 60};  // frees 40: 1.5 pages for each page of the host
  std::uint32_t moved = 0;
  for (std::uint32_t host = 1; host <= 40; ++host) {
    moved += drive.write();
    CHECK(moved == (host * 3 + 1) / 2);
  }
  CHECK(drive.valid == 0);
  drive.end_victim(0);
  CHECK(drive.room == 250);
}

TEST_CASE("pages of the victim that the host overwrites are not moved, and collection rests for what they freed") {
  Paced drive{.valid = 60};
  std::uint32_t host = 0, moved = 0;
  for (; drive.valid > 0; ++host) {
    moved += drive.write();
    if (host % 2 == 0 && drive.valid > 0) --drive.valid;
  }
  CHECK(moved < 50);
  drive.end_victim(50);
  for (; drive.valid == 50; ++host) drive.write();
  CHECK(host == 100 - moved + 1);
}

TEST_CASE("where there is more room than there should be, no victim begins") {
  const EvenPace pace(100, 2, 1);
  CHECK(pace.due(249));
  CHECK_FALSE(pace.due(250));
  CHECK_FALSE(pace.due(250, 0));
}

namespace {

struct Spread {
  std::uint64_t moved = 0, most = 0;  // pages moved in all, and with one page of the host
  std::uint32_t least_free = 99, most_free = 0;
};

Spread collect(bool even, std::uint32_t stop_free) {
  constexpr std::uint32_t kLogical = 8'000;
  DriveConfig config = theory_drive(80, 128, kLogical);
  config.ftl.buffer.coalescing_pages = 0;
  config.ftl.gc.start_free = 3;
  config.ftl.gc.stop_free = stop_free;
  config.ftl.gc.pages_per_host_write = 40;
  config.ftl.gc.even_pace = even;
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  Medium medium(layout);
  WorkList work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false);
  Ftl ftl(config.ftl, kLogical, medium, work, 1);
  RandomStream random(2, "pages");
  Spread spread;
  for (int write = 0; write < 240'000; ++write) {
    const std::uint64_t before = ftl.store().counts().pages_appended;
    REQUIRE(ftl.write(Lpn{static_cast<std::uint32_t>(random.below(kLogical))}, 0, 4096));
    if (write < 80'000) continue;
    const std::uint64_t moved = ftl.store().counts().pages_appended - before - 1;
    spread.moved += moved;
    spread.most = std::max(spread.most, moved);
    spread.least_free = std::min(spread.least_free, ftl.store().blocks().free().count(0));
    spread.most_free = std::max(spread.most_free, ftl.store().blocks().free().count(0));
  }
  return spread;
}

}  // namespace

TEST_CASE("with even pace, free space stays and no page of the host pays for many moves") {
  const Spread full = collect(false, 8), even = collect(true, 8);
  CHECK(full.most >= 40);
  CHECK(full.most_free >= 7);
  CHECK(even.most <= 16);
  CHECK(even.most_free - even.least_free <= 2);
  CHECK(even.moved < full.moved * 9 / 10);  // fewer superblocks lie free
  // Pages are moved for a victim before its space is free: a superblock less of the 17 spare ones lies free.
  CHECK(even.moved == Approx(static_cast<double>(collect(false, 4).moved) * 16 / 17).epsilon(0.02));
}

TEST_CASE("due_below() is the least room at which no page is due") {
  RandomStream random(1, "rooms");
  for (std::uint32_t i = 0; i < 2'000; ++i) {
    const auto valid = static_cast<std::uint32_t>(1 + random.below(100));
    EvenPace pace(100, 2, 1);
    pace.moved(static_cast<std::uint32_t>(random.below(101 - valid)));
    const std::uint64_t least = pace.due_below(valid);
    CHECK_FALSE(pace.due(least, valid));
    if (least > 0) CHECK(pace.due(least - 1, valid));
  }
}
