// Packed pages on flash with bit errors: which pages a failing codeword hits, what it costs, and which are lost.
#include <algorithm>
#include <vector>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/erring_trials.h"
#include "models/nand/array/data_slots.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Slots of 512 bytes, codewords of 1024: two slots share one, and a stripe holds 16 slots.
DriveConfig packed(DriveConfig drive) {
  drive = packing(drive);
  drive.user_bytes = 44ull << 20;
  return drive;
}

// From the first write on, a codeword has a mean of 11.1 errors. 24 can be corrected, and some codewords of 1,000 fail.
CellsConfig weak() {
  CellsConfig cells = cells_with({});
  cells.fresh_per_pbit = per_pbit(0x1p-10 * 1.35);
  cells.fresh_exponent = 10'000;
  cells.wear_cycles = 1'000'000;
  return cells;
}

// Computed from the cells alone: true if one of the page's slots lies in a codeword that fails.
bool expected_lost(const Drive& drive, std::uint32_t lpn, Nanoseconds now) {
  const Layout& layout = drive.medium().layout();
  MediaErrors errors = *drive.flash().errors;
  errors.set_date(now);
  const Ppn last = drive.ftl().pages().find(Lpn{lpn}).ppn;
  const SuperblockId block = layout.block_of(last);
  std::uint32_t position = layout.position(last);
  for (std::uint32_t left = drive.medium().pages().slots(last); left > 0; --left) {
    const std::uint32_t stripe = layout.stripe_of(position);
    const MediaErrors::Rate rate = errors.rate(block, stripe, layout.die_of(block, stripe));
    if (errors.steps(block, position * 512 / 1024, rate) == errors.uncorrectable()) return true;
    if (left > 1) position = DataSlots(layout).before(position);
  }
  return false;
}

}  // namespace

TEST_CASE("retries of a packed page cost what those of a whole page cost, once for each stripe that it lies in") {
  Host plain(packed(erring_drive({}))), retried(packed(erring_drive(always_retried())));
  for (Host* const host : {&plain, &retried}) {
    host->store(625);  // five slots: page 3 begins in stripe 0 and ends in stripe 1, page 4 lies in stripe 1
    host->fill();
    host->rest(kDay);
  }
  const Nanoseconds extra{kAlwaysReads * 50'000 + kAlwaysOverhead};
  for (const std::uint64_t page : {1, 3, 4, 6}) {
    plain.rest(kDay);
    retried.rest(kDay);
    const std::uint64_t before = retried.counters().read_retries;
    CHECK(plain.read(page) == Status::ok);
    const Completion done = retried.request(Op::read, page * kPage, kPage);
    CHECK(done.status == Status::ok);
    CHECK(retried.latency() == plain.latency() + extra);  // two dies retry in parallel
    CHECK(retry_part(done) == extra);
    CHECK(retried.counters().read_retries - before == (page == 3 || page == 6 ? 6 : 3));
  }
}

TEST_CASE("a codeword that fails loses all packed pages with a part in it, and no others") {
  Host host(packed(erring_drive(weak())));
  RandomStream random(13, "sizes");
  for (std::uint64_t p = 0; p < host.pages(); ++p) {
    host.store(random.below(1001));
    REQUIRE(host.write(p) == Status::ok);
  }
  host.flush();
  std::uint64_t lost = 0;
  for (std::uint32_t p = 0; p < host.pages(); ++p) {
    const bool expected = expected_lost(host.drive(), p, host.now());
    REQUIRE(host.read(p) == (expected ? Status::media_error : Status::ok));
    lost += expected;
  }
  CHECK(lost > 5);
  CHECK(lost < 500);
  CHECK(host.counters().lost_pages == lost);
  CHECK(host.drive().flash().errors->lost().count() == lost);
  host.require_sound();
}

TEST_CASE("lost packed pages stay lost through collection, a power cut and a saved state, until they are written") {
  Host host(packed(erring_drive(fading())));
  host.store(700);
  host.fill();
  const std::uint64_t kept = host.pages() / 4;  // never overwritten
  host.rest(100 * kDay);
  host.write_at_random(3 * host.pages(), kept, host.pages());
  REQUIRE(host.counters().relocated_pages > kept);
  CHECK(host.counters().lost_pages > 1'000);  // found by collection, as the host has read none of them
  for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.read(p) == Status::media_error);
  host.flush();
  Lifecycle(host.drive()).power_cycle();
  host.require_sound();
  for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.read(p) == Status::media_error);
  CHECK(host.request(Op::write, 0, 512).status == Status::ok);  // the rest of the page is still lost
  host.flush();
  CHECK(host.read(0) == Status::media_error);
  Drive again(host.drive().config(), Clock::timed);
  again.load(host.drive().save());
  CHECK(again.save() == host.drive().save());
  for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.write(p) == Status::ok);
  host.flush();
  for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.read(p) == Status::ok);
}

TEST_CASE("with parity a codeword of packed pages is rebuilt from its row, with one read of the other dies") {
  DriveConfig config = packed(erring_drive(weak()));
  config.user_bytes = 40ull << 20;
  Host bare(config);
  config.ftl.superblock.parity = true;
  Host rows(config);
  for (Host* const host : {&bare, &rows}) {
    host->store(625);
    host->fill();
  }
  CHECK(bare.lost_pages() > 5);
  CHECK(rows.lost_pages() == 0);
  CHECK(rows.counters().rebuilt_pages == rows.counters().uncorrectable_pages);
  CHECK(rows.counters().rebuilt_pages > 5);
  Nanoseconds longest{0};
  for (std::uint64_t p = 0; p < rows.pages(); ++p) {
    rows.rest(Nanoseconds{1'000'000});
    longest = std::max(longest, retry_part(rows.request(Op::read, p * kPage, kPage)));
  }
  const Nanoseconds codeword{500 + transfer_time(1056, 100'000'000).count()};
  CHECK(longest == Nanoseconds{50'000} + 2 * codeword);  // two dies share a channel
}

TEST_CASE("refresh rewrites all packed pages before they are lost, and at most once a month") {
  DriveConfig config = packed(erring_drive(fading()));
  Host neglected(config);
  config.ftl.refresh = monthly();
  Host refreshed(config);
  for (Host* const host : {&neglected, &refreshed}) {
    host->store(625);
    host->fill();
    host->rest(365 * kDay);
    host->read(0);
  }
  CHECK(neglected.lost_pages() == neglected.pages());
  const std::uint64_t stored = refreshed.pages() * 5 * 512;
  CHECK(refreshed.counters().media_refresh_bytes > 10 * stored);
  CHECK(refreshed.counters().media_refresh_bytes <= 12 * stored);
  CHECK(refreshed.lost_pages() == 0);
  refreshed.require_sound();
}

TEST_CASE("a saved drive with errors in packed pages continues exactly") {
  DriveConfig config = packed(erring_drive(fading({{700, 24, 1, Nanoseconds{1000}}, {100, 24, 2, Nanoseconds{5000}}})));
  config.ftl.refresh = {per_pbit(0.0025), 2, kDay, 16};
  config.controller.read_ahead = {2, 1, 64 * kPage};
  Host host(config);
  host.store(650);
  host.fill();
  for (int month = 0; month < 5; ++month) {
    host.rest(20 * kDay);
    host.write_at_random(500, 0, host.pages());
  }
  Drive copy(config, Clock::timed);
  copy.load(host.drive().save());
  for (Drive* const drive : {&host.drive(), &copy}) {
    RandomStream random(5, "after");
    Nanoseconds now = host.now() + 25 * kDay;
    for (int i = 0; i < 2'000; ++i) {
      Request request{1, random.chance(1, 2) ? Op::read : Op::write, random.below(host.pages()) * kPage, kPage, now};
      request.content = {0, random.below(1001)};
      drive->submit({&request, 1});
      Completion done;
      REQUIRE(drive->wait(kNever, {&done, 1}) == 1);
      now = done.completed;
    }
  }
  CHECK(host.counters().read_retries > 0);
  CHECK(host.counters().media_refresh_bytes > 0);
  CHECK(copy.save() == host.drive().save());
}

// Random uncorrectable codewords under everything that moves packed pages, with read-ahead and a map in the flash: a page
// once seen as lost must never be readable again.
TEST_CASE("lost packed pages never become readable again, whatever moves them") {
  for (const bool ahead : {false, true}) {
    DriveConfig config = packed(erring_drive(fading({{900, 24, 1, Nanoseconds{0}}})));
    if (ahead) config.controller.read_ahead = {2, 1, 64 * kPage};
    config.ftl.gc.idle_after = Nanoseconds{1'000'000};
    config.ftl.gc.idle_stop_free = 6;
    Host host(config);
    RandomStream random(11, "losses");
    std::vector<bool> lost(host.pages());
    host.store(800);
    host.fill();
    for (int day = 0; day < 60; ++day) {
      host.rest(3 * kDay);
      for (int i = 0; i < 300; ++i) {
        const std::uint64_t page = random.below(host.pages());
        host.store(random.below(1001));
        if (random.chance(1, 3)) {
          REQUIRE(host.write(page) == Status::ok);
          lost[page] = false;
        } else if (random.chance(1, 10)) {
          host.request(Op::write, page * kPage + 512, 1024);
        } else {
          const bool now_lost = host.read(page) == Status::media_error;
          REQUIRE((now_lost || !lost[page]));
          lost[page] = now_lost;
        }
      }
      if (day % 10 == 9) {
        host.flush();
        Lifecycle(host.drive()).power_cycle();
      }
      host.require_sound();
    }
    CHECK(host.counters().lost_pages > 100);
    CHECK(std::count(lost.begin(), lost.end(), true) > 0);
  }
}
