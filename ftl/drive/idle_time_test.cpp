// When idle time begins and ends, to the nanosecond, and what a drive does in it.
#include <algorithm>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "ftl/testing/erring_trials.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

TEST_CASE("deferred trims are executed after exactly the configured idle time") {
  constexpr Nanoseconds kAfter{1'000'000};
  const auto trimmed_after = [&](Nanoseconds silence) {
    DriveConfig config = striped_drive();
    config.ftl.trim.mode = TrimConfig::Mode::deferred;
    config.ftl.gc.idle_after = kAfter;
    config.ftl.gc.idle_stop_free = 8;
    Drive drive(config, Clock::timed);
    const Nanoseconds written = execute(drive, Op::write, 0, 8 * 4096, ns(0)).completed;
    const Nanoseconds trimmed = execute(drive, Op::trim, 0, 8 * 4096, written).completed;
    execute(drive, Op::read, 9 * 4096, 4096, trimmed + silence);
    return drive.ftl().counts().trimmed_pages;
  };
  CHECK(trimmed_after(kAfter) == 0);
  CHECK(trimmed_after(kAfter + ns(1)) == 8);
}

TEST_CASE("a drive with a long read in flight is not idle, however long ago its last request completed") {
  DriveConfig config = striped_drive();
  config.ftl.trim.mode = TrimConfig::Mode::deferred;
  config.ftl.gc.idle_after = Nanoseconds{1'000'000};
  config.ftl.gc.idle_stop_free = 8;
  Drive drive(config, Clock::timed);
  const Nanoseconds written = execute(drive, Op::write, 0, 8 * 4096, ns(0)).completed;
  const Nanoseconds trimmed = execute(drive, Op::trim, 0, 8 * 4096, written).completed;
  const Request reads[] = {{1, Op::read, 1 << 20, 4 << 20, trimmed + ns(500'000)},  // at 300 MB/s
                           {2, Op::read, 8 << 20, 4096, trimmed + ns(3'000'000)}};
  drive.submit({reads, 2});
  CHECK(drive.ftl().counts().trimmed_pages == 0);
  Completion done[2];
  REQUIRE(drive.wait(kNever, {done, 1}) + drive.wait(kNever, {done + 1, 1}) == 2);
  REQUIRE(std::max(done[0].completed, done[1].completed) > trimmed + ns(10'000'000));
}

TEST_CASE("a flush during idle collection waits for host data only") {
  DriveConfig config = striped_drive();
  config.ftl.gc = {0, 3, 6, 8};
  config.ftl.gc.idle_after = Nanoseconds{1'000'000};
  config.ftl.gc.idle_stop_free = 8;
  Drive drive(config, Clock::untimed);
  fill(drive);
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\nio_size=60m\n");
  execute(drive, Op::flush, 0, 0, drive.idle_from());
  const Nanoseconds rested = drive.idle_from();
  const Nanoseconds alone = execute(drive, Op::flush, 0, 0, rested).completed - rested;
  const Counters before = drive.counters();
  const Nanoseconds back = rested + alone + ns(30'000'000);
  const Nanoseconds amid = execute(drive, Op::flush, 0, 0, back).completed - back;
  REQUIRE(drive.counters().relocated_pages > before.relocated_pages);
  REQUIRE(drive.idle_from() > back + ns(300'000));  // programs of relocated pages were in flight
  CHECK(amid == alone);
}

TEST_CASE("a drive that only scans its cells in idle time executes no trims then") {
  DriveConfig config = erring_drive(fading());
  config.ftl.refresh = monthly();
  config.ftl.trim.mode = TrimConfig::Mode::deferred;
  Host host(config);
  REQUIRE(host.request(Op::write, 0, 8 * kPage).status == Status::ok);
  host.flush();
  host.request(Op::trim, 0, 8 * kPage);
  const Nanoseconds scanned = host.drive().scans().next();
  host.rest(3 * kDay);
  host.read(9);
  CHECK(host.drive().scans().next() > scanned);
  CHECK(host.drive().ftl().counts().trimmed_pages == 0);
}

// All data are 30 days old half a day before a scan. The scan is due exactly when a read completes.
TEST_CASE("a scan that is due when the last request completes runs in idle time and rewrites what it finds") {
  DriveConfig config = erring_drive(fading());
  config.ftl.refresh = monthly();
  Host host(config);
  host.read(0);
  const Nanoseconds first = host.drive().scans().next();
  REQUIRE(first <= kDay);
  host.rest(first + kDay / 2 - host.now());
  host.fill();
  host.rest(first + 30 * kDay + kDay / 2 - host.now());
  REQUIRE(host.read(0) == Status::ok);
  REQUIRE(host.drive().scans().next() == first + 31 * kDay);
  host.rest(host.drive().scans().next() - host.latency() - host.now());
  REQUIRE(host.read(0) == Status::ok);
  REQUIRE(host.now() == host.drive().scans().next());
  REQUIRE(host.counters().media_refresh_bytes == 0);
  host.rest(kDay / 2);
  REQUIRE(host.read(0) == Status::ok);
  CHECK(host.counters().media_refresh_bytes >= host.pages() * kPage / 2);
  host.require_sound();
}
