// Reads of packed pages with read-ahead.
#include <algorithm>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Slots of 512 bytes, 16 in a stripe of two planes; two read streams are followed, with windows of 32 host pages.
DriveConfig packing_ahead() {
  DriveConfig drive = packing(striped_drive());
  drive.controller.read_ahead = {2, 3, 2 * 32 * 4096};
  return drive;
}

void fill_packed(Drive& drive, std::uint64_t pages, std::uint64_t stored) {
  for (std::uint64_t page = 0; page < pages; ++page) execute(drive, Op::write, page * 4096, 4096, Nanoseconds{0}, stored);
  execute(drive, Op::flush, 0, 0, Nanoseconds{0});
  drive.set_clock(Clock::timed);
}

constexpr Nanoseconds kCommand{5000};                                     // controller
const Nanoseconds kLink = ns(5400) + transfer_time(4096, 300'000'000);    // one page
const Nanoseconds kStripe = ns(500) + transfer_time(8448, 100'000'000);   // 16 slots on a channel, in 8 codewords
const Nanoseconds kOneSlot = ns(500) + transfer_time(1056, 100'000'000);  // in one codeword
const Nanoseconds kFiveSlots = ns(500) + transfer_time(3168, 100'000'000);

}  // namespace

// A page takes five slots: page 2 is in slots 10 to 14 of stripe 0, 3 in 15 to 19 (only 15 in stripe 0), 4 in 20 to 24.
TEST_CASE("a packed page that is read ahead is available exactly when the last of its parts has arrived") {
  Drive first(packing_ahead(), Clock::untimed);
  fill_packed(first, 64, 625);
  Nanoseconds at = kLater;
  for (std::uint64_t page = 0; page < 2; ++page) at = execute(first, Op::read, page * 4096, 4096, at).completed;
  CHECK(first.counters().read_ahead_pages == 0);
  const Nanoseconds asked = 2 * kLater;
  execute(first, Op::read, 2 * 4096, 4096, asked);
  CHECK(first.counters().read_ahead_pages == 32);
  // Page 3 waits for the die of its first slot, which the request itself has read. Meanwhile the channel transfers a whole
  // stripe of the neighbouring die. Page 4 arrives with its whole stripe.
  const Nanoseconds own = asked + kCommand + ns(50'000) + kFiveSlots;
  const Nanoseconds there[] = {own + kStripe + kOneSlot, asked + kCommand + ns(50'000) + kStripe};
  REQUIRE(there[0] > there[1]);
  const std::string state = first.save();
  for (const std::uint64_t page : {3, 4}) {
    for (const Nanoseconds early : {ns(1), ns(0)}) {
      Drive drive(packing_ahead(), Clock::timed);
      drive.load(state);
      const Nanoseconds issued = there[page - 3] - kCommand - early;
      const Completion done = execute(drive, Op::read, page * 4096, 4096, issued);
      CHECK(part(done, LatencyPart::die_wait) == early);
      CHECK(part(done, LatencyPart::die) == ns(0));
      CHECK(done.completed == there[page - 3] + kLink);
      CHECK(drive.counters().read_ahead_hits == 1);
    }
  }
}

TEST_CASE("each stripe of packed pages is read ahead once") {
  Drive drive(packing_ahead(), Clock::untimed);
  fill_packed(drive, 64, 500);  // four pages per stripe
  Nanoseconds at = kLater;
  for (std::uint64_t page = 0; page < 2; ++page) at = execute(drive, Op::read, page * 4096, 4096, at).completed;
  const std::uint64_t before = drive.counters().media_operations;
  execute(drive, Op::read, 2 * 4096, 4096, at);
  // The page itself, then pages 3 to 34: one of stripe 0, stripes 1 to 7 and three of stripe 8.
  CHECK(drive.counters().media_operations - before == 1 + 9);
}

TEST_CASE("sequential reads of packed pages are as fast as controller and link allow with read-ahead, and not without") {
  const auto rate = [](DriveConfig config) {
    Drive drive(config, Clock::untimed);
    fill(drive);
    return bytes_per_s(run(drive, "rw=read\nbs=4k\niodepth=1\nio_size=8m\n"), Direction::read);
  };
  DriveConfig plain = packing_ahead();
  plain.controller.read_ahead = {};
  CHECK(rate(plain) < 45e6);
  CHECK(rate(packing_ahead()) == Approx(4096e9 / (5000 + 5400 + 13'654)).epsilon(0.03));
  DriveConfig slow_memory = packing_ahead();
  slow_memory.dram.bytes_per_s = 40'000'000;
  // Data go from the flash into the memory, a window at a time, while the host waits, and then out of it to the host.
  CHECK(rate(slow_memory) == Approx(4096e9 / (2 * 102'400 + 5000 + 5400 + 13'654)).epsilon(0.01));
}

TEST_CASE("read-ahead of packed pages never returns other content than the flash, even after power cuts") {
  DriveConfig config = packing_ahead();
  Drive ahead(config, Clock::untimed);
  config.controller.read_ahead = {};
  Drive plain(config, Clock::untimed);
  ContentLog from_plain, from_ahead;
  plain.report_contents(&from_plain);
  ahead.report_contents(&from_ahead);
  RandomStream random(11, "packed reading ahead");
  std::uint64_t next = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t kind = random.below(10);
    const Op op = kind < 7 ? Op::read : kind < 9 ? Op::write : Op::trim;
    if (random.chance(1, 6)) next = random.below(200);
    const std::uint64_t pages = 1 + random.below(3), stored = random.below(1001);
    const std::uint64_t first = op == Op::read ? next : next + random.below(20);
    for (Drive* drive : {&plain, &ahead}) execute(*drive, op, first * 4096, pages * 4096, ns(0), stored);
    if (op == Op::read) next = first + pages;
    if (i % 5'000 != 4'999) continue;
    for (Drive* drive : {&plain, &ahead}) Lifecycle(*drive).power_cycle();
  }
  REQUIRE(from_plain.returned.size() == from_ahead.returned.size());
  REQUIRE(ahead.counters().read_ahead_hits > 1000);
  CHECK(std::equal(from_plain.returned.begin(), from_plain.returned.end(), from_ahead.returned.begin(),
                   [](const auto& a, const auto& b) { return a.granule == b.granule && a.version == b.version; }));
  CHECK(inspect(ahead.ftl()).empty());
}

TEST_CASE("timed and untimed drives read the same packed pages ahead and hit the same") {
  for (const char* job : {"rw=read\nbs=2k\niodepth=4\nio_size=20m\n", "rw=rw\nbs=4k\niodepth=1\nio_size=40m\n"}) {
    Drive timed(packing_ahead(), Clock::untimed), untimed(packing_ahead(), Clock::untimed);
    fill(timed);
    fill(untimed);
    untimed.set_clock(Clock::untimed);
    run(timed, job);
    run(untimed, job);
    const Counters a = timed.counters(), b = untimed.counters();
    CHECK(a.read_ahead_hits > 0);
    CHECK(a.media_read_bytes == b.media_read_bytes);
    CHECK(a.media_operations == b.media_operations);
    CHECK(a.read_ahead_hits == b.read_ahead_hits);
    CHECK(a.read_ahead_wasted == b.read_ahead_wasted);
  }
}
