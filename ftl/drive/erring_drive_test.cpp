// Drives with bit errors: the cost of retries and rebuilds, lost pages that stay lost, and what refresh prevents.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/erring_trials.h"
#include "sim/host/host.h"
#include "sim/testing/archive_trials.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

using namespace ftlab;
using namespace ftlab::testing;

TEST_CASE("each retry costs its array reads and its overhead, to the nanosecond") {
  Host plain(erring_drive({})), retried(erring_drive(always_retried()));
  plain.fill();
  retried.fill();
  for (Host* const host : {&plain, &retried}) host->rest(kDay);
  const Nanoseconds extra{kAlwaysReads * 50'000 + kAlwaysOverhead};
  for (std::uint64_t page = 0; page < 40; page += 3) {
    CHECK(plain.read(page) == Status::ok);
    const Completion done = retried.request(Op::read, page * kPage, kPage);
    CHECK(done.status == Status::ok);
    CHECK(retried.latency() == plain.latency() + extra);
    CHECK(retry_part(done) == extra);
  }
  CHECK(retried.counters().read_retries == 14 * 3);
  CHECK(plain.counters().read_retries == 0);
}

// New flash has a mean of 8.25 errors in a codeword, and twice as many after 1,000 cycles. The first read corrects 24.
TEST_CASE("wear causes retries as often as pages have more errors than the code corrects") {
  CellsConfig cells = cells_with({{500, 24, 1, Nanoseconds{2'000}}});
  cells.fresh_per_pbit = per_pbit(0x1p-10);
  cells.fresh_exponent = 1000;
  cells.wear_cycles = 1000;
  for (const std::uint32_t cycles : {1u, 500u, 1000u}) {
    cells.worn_cycles = cycles - 1;  // plus the cycle in which the data are written
    Host host(erring_drive(cells));
    host.fill();
    Nanoseconds retries{0};
    for (std::uint64_t page = 0; page < host.pages(); ++page)
      retries += retry_part(host.request(Op::read, page * kPage, kPage));
    const double expected =
        static_cast<double>(host.pages()) * Ecc(cells, 8448, 4).failure(0x1p-10 * (1 + cycles / 1000.0), 0);
    CAPTURE(cycles, expected);
    CHECK(static_cast<double>(retries.count()) / 52'000 == Approx(expected).margin(4 * std::sqrt(expected) + 1));
    CHECK((expected > 1000) == (cycles == 1000));
  }
}

TEST_CASE("the die is free for the next read exactly when the last retry ends") {
  DriveConfig config = erring_drive(always_retried());
  config.nand.cache_read = true;
  Host host(config);
  host.fill();
  const Nanoseconds array{(1 + kAlwaysReads) * 50'000 + kAlwaysOverhead};
  for (const bool at : {false, true}) {
    host.rest(kDay);
    // Two reads of one page: the second one waits only if it comes less than `array` after the first.
    const Nanoseconds first = host.now(), second = first + array - Nanoseconds{at ? 0u : 1u};
    const Request requests[] = {{1, Op::read, 0, kPage, first}, {2, Op::read, 0, kPage, second}};
    host.drive().submit(requests);
    Completion done[2];
    for (std::size_t taken = 0; taken < 2;) taken += host.drive().wait(kNever, std::span(done).subspan(taken));
    CHECK(done[1].parts[static_cast<std::size_t>(LatencyPart::die_wait)] == Nanoseconds{at ? 0u : 1u});
    host.rest(kDay);
  }
}

TEST_CASE("a lost page fails at every read until it is overwritten or trimmed") {
  Host host(erring_drive(fading()));
  host.fill();
  host.rest(20 * kDay);
  REQUIRE(host.lost_pages() == 0);
  host.rest(80 * kDay);
  CHECK(host.lost_pages() == host.pages());
  CHECK(host.counters().lost_pages == host.pages());
  CHECK(host.lost_pages() == host.pages());
  CHECK(host.counters().lost_pages == host.pages());  // each counts once
  CHECK(host.write(17) == Status::ok);
  host.request(Op::trim, 18 * kPage, kPage);
  CHECK(host.read(17) == Status::ok);
  CHECK(host.read(18) == Status::ok);
  CHECK(host.read(19) == Status::media_error);
  CHECK(host.request(Op::read, 16 * kPage, 4 * kPage).status == Status::media_error);
  CHECK(host.request(Op::write, 19 * kPage, 512).status == Status::ok);  // the rest of the page is still lost
  host.flush();
  CHECK(host.read(19) == Status::media_error);
  CHECK(host.write(19) == Status::ok);
  CHECK(host.read(19) == Status::ok);
  CHECK(host.lost_pages() == host.pages() - 3);
  host.require_sound();
}

TEST_CASE("a lost page is not read ahead, its neighbours are") {
  for (const bool packs : {false, true}) {
    CAPTURE(packs);
    DriveConfig config = erring_drive(fading());
    config.controller.read_ahead = {2, 3, 2 * 32 * 4096};
    if (packs) config = packing(config);
    Host host(config);
    host.fill();
    host.rest(100 * kDay);
    for (std::uint64_t page = 20; page < 100; ++page) REQUIRE(host.write(page) == Status::ok);
    host.flush();
    for (std::uint64_t page = 0; page < 120; ++page)
      REQUIRE(host.read(page) == (page >= 20 && page < 100 ? Status::ok : Status::media_error));
    CHECK(host.counters().read_ahead_pages == 80);
    CHECK(host.counters().read_ahead_hits == 80);
    host.require_sound();
  }
}

TEST_CASE("lost pages stay lost through collection, a power cut and a saved state") {
  Host host(erring_drive(fading()));
  host.fill();
  const std::uint64_t kept = host.pages() / 4;  // never overwritten
  host.rest(100 * kDay);
  host.write_at_random(3 * host.pages(), kept, host.pages());
  const Counters moved = host.counters();
  REQUIRE(moved.relocated_pages > kept);
  CHECK(moved.lost_pages >= kept);  // found by collection, as the host has read none of them
  for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.read(p) == Status::media_error);
  host.flush();
  Lifecycle(host.drive()).power_cycle();
  host.require_sound();
  for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.read(p) == Status::media_error);
  Drive again(host.drive().config(), Clock::timed);
  again.load(host.drive().save());
  CHECK(again.save() == host.drive().save());
  CHECK(again.flash().errors->lost().count() == host.drive().flash().errors->lost().count());
  for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.write(p) == Status::ok);
  for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.read(p) == Status::ok);
}

TEST_CASE("a job counts reads of lost pages as errors") {
  CellsConfig fleeting = cells_with({});
  fleeting.retention_per_pbit = per_pbit(0.02 * 86'400 / 90);  // like fading(), in seconds instead of days
  fleeting.retention_wear_exponent = 0;
  Host host(erring_drive(fleeting));
  host.fill();
  JobContext context;
  context.capacity_bytes = host.drive().config().user_bytes;
  const JobFile jobs = parse_job_file(
      "[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrw=randread\nbs=4k\nio_size=1m\n"
      "startdelay=300\n",
      "test", context);
  const RunStats stats = run_jobs(host.drive(), jobs.jobs, {});
  CHECK(stats.jobs.front().failed[static_cast<std::size_t>(Direction::read)] == 256);
}

TEST_CASE("with parity an uncorrectable page is rebuilt from its row") {
  CellsConfig weak = cells_with({});
  weak.fresh_per_pbit = per_pbit(0x1p-10 * 1.35);  // a mean of 11.1 errors, 24 correctable: some of 1,000 pages fail
  weak.fresh_exponent = 10'000;
  weak.wear_cycles = 1'000'000;
  DriveConfig config = erring_drive(weak);
  config.user_bytes = 44ull << 20;
  Host bare(config);
  config.ftl.superblock.parity = true;
  Host rows(config);
  for (Host* const host : {&bare, &rows}) host->fill();
  const std::uint64_t lost = bare.lost_pages();
  CHECK(lost > 5);
  CHECK(lost < 500);
  CHECK(rows.lost_pages() == 0);
  CHECK(rows.counters().rebuilt_pages == rows.counters().uncorrectable_pages);
  CHECK(rows.counters().rebuilt_pages > 5);
  // Rebuilding costs one read of the other dies, all in parallel.
  Nanoseconds longest{0};
  for (std::uint64_t p = 0; p < rows.pages(); ++p) {
    rows.rest(Nanoseconds{1'000'000});
    longest = std::max(longest, retry_part(rows.request(Op::read, p * kPage, kPage)));
  }
  const Nanoseconds transfer{500 + transfer_time(4224, 100'000'000).count()};
  CHECK(longest == Nanoseconds{50'000} + 2 * transfer);  // two dies share a channel
}

TEST_CASE("refresh moves data before they are lost; without refresh they are lost") {
  DriveConfig config = erring_drive(fading());
  Host neglected(config);
  config.ftl.refresh = monthly();
  Host refreshed(config);
  for (Host* const host : {&neglected, &refreshed}) {
    host->fill();
    host->rest(365 * kDay);
    host->read(0);
  }
  CHECK(neglected.lost_pages() == neglected.pages());
  CHECK(refreshed.lost_pages() == 0);
  CHECK(neglected.counters().media_refresh_bytes == 0);
  refreshed.require_sound();
}

TEST_CASE("refresh rewrites the data once a month, not more often") {
  DriveConfig config = erring_drive(fading());
  config.ftl.refresh = monthly();
  Host host(config);
  host.fill();
  host.rest(365 * kDay);
  REQUIRE(host.read(0) == Status::ok);
  const std::uint64_t user = host.pages() * kPage;
  // Due at the first daily scan after 30 days: 12 times, if all pages of a pass are moved on the same day.
  CHECK(host.counters().media_refresh_bytes > 10 * user);
  CHECK(host.counters().media_refresh_bytes <= 12 * user);
  const Counters before = host.counters();
  for (std::uint64_t p = 0; p < host.pages(); ++p) REQUIRE(host.read(p) == Status::ok);
  CHECK(host.counters().media_refresh_bytes - before.media_refresh_bytes <= user);
}

TEST_CASE("refresh without any work changes no slot") {
  for (const std::uint32_t pace : {1u, 4u}) {
    const auto placement = [pace](const RefreshConfig& refresh) {
      DriveConfig config = erring_drive(fading());
      config.ftl.gc.pages_per_host_write = pace;
      config.ftl.refresh = refresh;
      Host host(config, Clock::untimed);
      host.fill();
      host.write_at_random(20'000, 0, host.pages());
      Signature signature;
      sign_slots(host.drive(), signature);
      return signature.value();
    };
    CHECK(placement(monthly()) == placement({}));
  }
}

TEST_CASE("a superblock that is written page by page stays open as long as its cells are good") {
  DriveConfig config = erring_drive(fading());
  config.ftl.refresh = monthly();
  Host host(config);
  for (std::uint64_t day = 0; day < 20; ++day) {
    REQUIRE(host.write(day) == Status::ok);
    host.flush();
    host.rest(kDay);
  }
  const Blocks& blocks = host.drive().ftl().store().blocks();
  CHECK(blocks.closed().count(0) == 0);
  CHECK(blocks.free().count() == blocks.count() - 1);
}

TEST_CASE("errors from wear alone start no refresh") {
  CellsConfig worn = always_retried();
  worn.retention_per_pbit = 1;
  DriveConfig config = erring_drive(worn);
  config.ftl.refresh = monthly();
  Host host(config);
  host.fill();
  for (int month = 0; month < 12; ++month) {
    host.rest(30 * kDay);
    REQUIRE(host.lost_pages() == 0);
  }
  CHECK(host.counters().read_retries > 0);
  CHECK(host.counters().media_refresh_bytes == 0);
}

TEST_CASE("a page that is read too often disturbs its neighbours, unless its block is refreshed") {
  CellsConfig cells = cells_with({});
  cells.disturb_per_pbit = per_pbit(0.02 / 10'000);  // 169 errors in a codeword after 10,000 reads
  cells.disturb_wear_exponent = 0;
  DriveConfig config = erring_drive(cells);
  Host neglected(config, Clock::untimed);
  config.ftl.refresh = {per_pbit(0.02 / 27), 1, kDay, 16};
  Host refreshed(config, Clock::untimed);
  for (Host* const host : {&neglected, &refreshed}) {
    host->fill();
    for (int reads = 0; reads < 12'000; ++reads) host->read(100);
  }
  const Layout& layout = neglected.drive().medium().layout();
  const std::uint64_t block = layout.pages_per_superblock() / layout.dies_per_superblock();
  CHECK(neglected.lost_pages() >= block);
  CHECK(refreshed.lost_pages() == 0);
  CHECK(refreshed.counters().media_refresh_bytes > 0);
}

TEST_CASE("a saved drive with bit errors continues exactly") {
  DriveConfig config = erring_drive(fading({{700, 24, 1, Nanoseconds{1000}}, {100, 24, 2, Nanoseconds{5000}}}));
  config.ftl.refresh = {per_pbit(0.0025), 2, kDay, 16};  // after 45 days: by then some pages need a retry
  Host host(config);
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
      const Request request{1, random.chance(1, 2) ? Op::read : Op::write, random.below(host.pages()) * kPage, kPage, now};
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

TEST_CASE("a drive scanned after long idle time can be loaded, one whose next scan is years ahead is refused") {
  DriveConfig config = erring_drive(fading());
  config.ftl.refresh = monthly();
  Host host(config);
  REQUIRE(host.write(0) == Status::ok);
  host.rest(100 * kDay);
  REQUIRE(host.read(1) == Status::ok);  // unmapped: the flash is not read
  const std::string good = host.drive().save();
  Drive copy(config, Clock::timed);
  copy.load(good);
  CHECK(copy.save() == good);
  const std::uint64_t next = host.drive().scans().next().count();
  const std::size_t at = good.find(std::string(reinterpret_cast<const char*>(&next), sizeof next));
  REQUIRE(at != std::string::npos);
  std::string bad = good;
  const std::uint64_t late = next + (1000 * kDay).count();
  std::memcpy(bad.data() + at, &late, sizeof late);
  seal(bad.data(), bad.size());
  CHECK_THROWS_WITH(copy.load(bad), "the saved state contradicts itself: the next scan of its cells lies too far ahead");
}

// Random uncorrectable pages under everything that moves pages: a page once seen as lost must never be readable again.
TEST_CASE("lost pages never become readable again, whatever moves them") {
  for (const auto scheme : {MappingConfig::Scheme::page, MappingConfig::Scheme::extent}) {
    DriveConfig config = erring_drive(fading({{900, 24, 1, Nanoseconds{0}}}));
    config.ftl.mapping.scheme = scheme;
    config.ftl.mapping.extents.entries = config.logical_pages() / 2;
    config.ftl.mapping.extents.region_pages = 64;
    config.ftl.gc.idle_after = Nanoseconds{1'000'000};
    config.ftl.gc.idle_stop_free = 6;
    Host host(config);
    RandomStream random(11, "losses");
    std::vector<bool> lost(host.pages());
    host.fill();
    for (int day = 0; day < 60; ++day) {
      host.rest(3 * kDay);
      for (int i = 0; i < 300; ++i) {
        const std::uint64_t page = random.below(host.pages());
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
