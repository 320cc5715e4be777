// The arithmetic of a drive's speed: latencies of an idle drive to the nanosecond, saturated throughput of each
// bottleneck to 1 %.
#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"

#include <algorithm>
#include <utility>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

TEST_CASE("an idle 4 KiB read takes the time of controller, array, channel and link, to the nanosecond") {
  Drive drive(striped_drive(), Clock::untimed);
  fill(drive);
  const Completion done = execute(drive, Op::read, 40'960, 4096, kLater);
  const Nanoseconds channel = ns(500) + transfer_time(4096 + 128, 100'000'000);
  const Nanoseconds link = ns(5400) + transfer_time(4096, 300'000'000);
  CHECK(done.completed - kLater == ns(5000) + ns(50'000) + channel + link);
  CHECK(part(done, LatencyPart::controller) == ns(5000));
  CHECK(part(done, LatencyPart::die) == ns(50'000));
  CHECK(part(done, LatencyPart::channel) == channel);
  CHECK(part(done, LatencyPart::link) == link);
}

TEST_CASE("an idle 512-byte read transfers one codeword and one sector") {
  Drive drive(striped_drive(), Clock::untimed);
  fill(drive);
  const Completion done = execute(drive, Op::read, 512, 512, kLater);
  CHECK(done.completed - kLater ==
        ns(5000 + 50'000 + 500 + 5400) + transfer_time(1056, 100'000'000) + transfer_time(512, 300'000'000));
}

TEST_CASE("two pages of one stripe take one array read, pages on two dies are read in parallel") {
  Drive drive(striped_drive(), Clock::untimed);
  fill(drive);
  const Nanoseconds one_page_link = transfer_time(4096, 300'000'000);
  const Nanoseconds two_pages_channel = ns(500) + transfer_time(8448, 100'000'000);
  CHECK(execute(drive, Op::read, 0, 8192, kLater).completed - kLater ==
        ns(5000 + 50'000 + 5400) + two_pages_channel + transfer_time(8192, 300'000'000));
  // Second half of one stripe, first half of the next: another die on another channel.
  const Nanoseconds page_channel = ns(500) + transfer_time(4224, 100'000'000);
  CHECK(execute(drive, Op::read, 4096, 8192, 2 * kLater).completed - 2 * kLater ==
        ns(5000 + 50'000) + page_channel + ns(5400) + 2 * one_page_link);
}

TEST_CASE("a buffered write ends when its data are in RAM, a flush when they are in the flash") {
  Drive drive(striped_drive(), Clock::timed);
  const Completion done = execute(drive, Op::write, 0, 4096, ns(0));
  const Nanoseconds link = ns(6200) + transfer_time(4096, 300'000'000);
  CHECK(done.completed == ns(5000) + link);
  CHECK_FALSE(drive.ftl().pages().all_in_flash());  // half a stripe waits for the rest
  const Completion flushed = execute(drive, Op::flush, 0, 0, done.completed);
  CHECK(drive.ftl().pages().all_in_flash());
  // The stripe is filled up with padding: two pages over the channel, then the lower page's program.
  const Nanoseconds program = ns(500) + transfer_time(2 * 4224, 100'000'000) + ns(300'000);
  CHECK(flushed.completed == done.completed + ns(5000) + program + ns(6200));
  CHECK(drive.counters().media_padding_bytes == 4096);
}

TEST_CASE("written data are read from the write buffer until their program has ended, whatever the scheduling") {
  for (const char* const policy : {"fifo", "read-first"}) {
    CAPTURE(policy);
    DriveConfig config = striped_drive();
    config.nand.scheduling.policy = scheduling_policy_index(policy);
    Drive drive(config, Clock::timed);
    const Completion written = execute(drive, Op::write, 0, 8192, ns(0));  // a stripe
    const Completion early = execute(drive, Op::read, 0, 4096, written.completed);
    CHECK(drive.flash().engine->in_flight().programs() == 1);
    CHECK(early.completed - written.completed == ns(5000 + 5400) + transfer_time(4096, 300'000'000));
    CHECK(drive.counters().buffered_reads == 1);
    const Completion late = execute(drive, Op::read, 0, 4096, kLater);
    CHECK(part(late, LatencyPart::die) == ns(50'000));
    CHECK(drive.counters().buffered_reads == 1);
  }
}

TEST_CASE("buffered data cross the controller's memory once when they are read, data from the flash twice") {
  DriveConfig config = striped_drive();
  config.dram.bytes_per_s = 400'000'000;
  Drive drive(config, Clock::timed);
  const Completion written = execute(drive, Op::write, 0, 8192, ns(0));
  const Nanoseconds at = written.completed + ns(100'000);  // the stripe has left the memory and is being programmed
  const Completion early = execute(drive, Op::read, 0, 4096, at);
  REQUIRE(drive.counters().buffered_reads == 1);
  const Nanoseconds link = ns(5000 + 5400) + transfer_time(4096, 300'000'000), crossing = transfer_time(4096, 400'000'000);
  CHECK(early.completed - at == link + crossing);
  const Completion late = execute(drive, Op::read, 0, 4096, kLater);
  REQUIRE(drive.counters().buffered_reads == 1);
  CHECK(late.completed - kLater == link + ns(50'000) + ns(500) + transfer_time(4224, 100'000'000) + 2 * crossing);
}

TEST_CASE("untimed FUA and write-through writes survive a power cut") {
  for (const bool write_back : {true, false}) {
    for (const bool fua : {true, false}) {
      CAPTURE(write_back, fua);
      DriveConfig config = striped_drive();
      config.ftl.buffer.write_back = write_back;
      Drive drive(config, Clock::untimed);
      Request request{1, Op::write, 0, 4096, ns(0)};  // half a stripe
      request.fua = fua;
      REQUIRE(execute(drive, request).status == Status::ok);
      Lifecycle(drive).power_cycle();
      CHECK((drive.ftl().store().pages().map().find(Lpn{0}) != kNoPpn) == (fua || !write_back));
    }
  }
}

// A step moves eight pages before each host page; two rows of stripes are 2 x 8 dies x 2 pages.
TEST_CASE("relocated pages in flight are limited to the write buffer's size, or to two rows of stripes if that is more") {
  for (const auto& [buffer, most_moved] : {std::pair{4u, 32u}, {64u, 64u}}) {
    CAPTURE(buffer);
    DriveConfig config = striped_drive();
    config.ftl.buffer.pages = buffer;
    Drive drive(config, Clock::timed);
    RandomStream random(1, "moved");
    Nanoseconds now{0};
    std::uint32_t most = 0;
    for (int i = 0; i < 30'000; ++i) {
      now = execute(drive, Op::write, random.below(config.logical_pages()) * 4096, 4096, now).completed;
      most = std::max(most, drive.flash().engine->in_flight().moved_pages());
    }
    CHECK((most >= most_moved && most < most_moved + 16));
  }
}

TEST_CASE("held pages programmed by a flush take room in the write buffer until their programs end") {
  const auto burst = [](bool counted_anew) {
    DriveConfig config = striped_drive();
    config.ftl.buffer.coalescing_pages = 4;
    Drive drive(config, Clock::timed);
    Nanoseconds now{0};
    for (std::uint64_t page = 0; page < 200; ++page) {
      now = execute(drive, Op::write, 4096 * page, 512, now).completed;
      now = execute(drive, Op::flush, 0, 0, now).completed;
    }
    if (counted_anew) {  // an untimed drive computes its room from the staged pages
      drive.set_clock(Clock::untimed);
      drive.set_clock(Clock::timed);
    }
    now = drive.idle_from();
    for (std::uint64_t tag = 0; tag < 150; ++tag) {
      const Request request{tag, Op::write, 4096 * (1000 + tag), 4096, now};
      drive.submit({&request, 1});
    }
    std::vector<Nanoseconds> ends;
    for (Completion done; drive.wait(kNever, {&done, 1}) > 0;) ends.push_back(done.completed - now);
    return ends;
  };
  CHECK(burst(false) == burst(true));
}

TEST_CASE("reads of unmapped pages take controller and link time only") {
  Drive drive(striped_drive(), Clock::timed);
  CHECK(execute(drive, Op::read, 0, 4096, ns(0)).completed == ns(5000 + 5400) + transfer_time(4096, 300'000'000));
  CHECK(drive.counters().unmapped_read_pages == 1);
}

TEST_CASE("a write smaller than a mapping page reads the old content when it is evicted from RAM") {
  DriveConfig config = striped_drive();
  config.ftl.buffer.coalescing_pages = 1;
  Drive drive(config, Clock::untimed);
  fill(drive);
  const std::uint64_t before = drive.ftl().counts().read_modify_writes;
  execute(drive, Op::write, 0, 512, kLater);
  CHECK(drive.ftl().counts().read_modify_writes == before);  // waits in RAM
  execute(drive, Op::write, 8192, 512, 2 * kLater);
  CHECK(drive.ftl().counts().read_modify_writes == before + 1);
  CHECK(drive.ftl().counts().filled_bytes == 4096 - 512);
}

TEST_CASE("small sequential writes are merged into whole mapping pages") {
  Drive drive(striped_drive(), Clock::untimed);
  run(drive, "rw=write\nbs=512\nio_size=1m\n");
  CHECK(drive.counters().media_host_bytes == 1 << 20);
  CHECK(drive.counters().media_fill_bytes == 0);
}

TEST_CASE("a request beyond the capacity or not in whole sectors is invalid and changes nothing") {
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    Drive drive(striped_drive(), clock);
    for (const Op op : {Op::read, Op::write, Op::trim}) {
      CHECK(execute(drive, op, 56ull << 20, 512, ns(0)).status == Status::invalid);
      CHECK(execute(drive, op, (56ull << 20) - 512, 1024, ns(0)).status == Status::invalid);
      CHECK(execute(drive, op, 100, 512, ns(0)).status == Status::invalid);
      CHECK(execute(drive, op, 512, 100, ns(0)).status == Status::invalid);
      CHECK(execute(drive, op, ~std::uint64_t{0} - 511, 512, ns(0)).status == Status::invalid);
    }
    const Counters all = drive.counters();
    CHECK((all.host_read_commands == 0 && all.host_write_commands == 0 && all.host_trim_bytes == 0));
    for (const Op op : {Op::read, Op::write, Op::trim})
      CHECK(execute(drive, op, (56ull << 20) - 512, 512, ns(0)).status == Status::ok);
  }
}

TEST_CASE("a trim unmaps whole pages and leaves the partial pages at its edges") {
  Drive drive(striped_drive(), Clock::untimed);
  fill(drive);
  const std::uint32_t mapped = drive.ftl().store().pages().mapped();
  execute(drive, Op::trim, 512, 16'384, kLater);
  CHECK(drive.ftl().store().pages().mapped() == mapped - 3);
  CHECK(drive.ftl().pages().version(Lpn{0}) != Version{0});
  CHECK(drive.ftl().pages().version(Lpn{1}) == Version{0});
  CHECK(drive.ftl().pages().version(Lpn{4}) != Version{0});
}

TEST_CASE("a trim drops the part of a page that is held in RAM") {
  DriveConfig config = striped_drive();
  config.ftl.buffer.coalescing_pages = 4;
  Drive drive(config, Clock::untimed);
  fill(drive);
  execute(drive, Op::write, 4096, 512, kLater);
  execute(drive, Op::trim, 4096, 4096, kLater);
  execute(drive, Op::flush, 0, 0, kLater);
  CHECK(drive.ftl().pages().version(Lpn{1}) == Version{0});
  CHECK(drive.ftl().store().pages().map().find(Lpn{1}) == kNoPpn);
}

TEST_CASE("saturated reads are bounded by link, channels and dies in turn, to 1 %") {
  // Sequential reads of 64 KiB use every die once: one two-plane read each, with all dies loaded alike.
  const auto saturated = [](const DriveConfig& config, const char* job) {
    Drive drive(config, Clock::untimed);
    fill(drive);
    return bytes_per_s(run(drive, job), Direction::read);
  };
  const char* sequential = "rw=read\nbs=64k\niodepth=32\nio_size=400m\n";
  const char* random = "rw=randread\nbs=4k\nnorandommap\niodepth=64\nio_size=100m\n";
  DriveConfig link = striped_drive();
  link.nand.read = ns(5'000);
  link.nand.bus_bytes_per_s = 1'000'000'000;
  link.controller = {ns(100), ns(100)};
  CHECK(saturated(link, random) == Approx(4096e9 / (5400.0 + 13'654.0)).epsilon(0.01));

  DriveConfig channel = striped_drive();
  channel.nand.read = ns(5'000);
  channel.nand.bus_bytes_per_s = 20'000'000;
  CHECK(saturated(channel, sequential) == Approx(4 * 8192e9 / (500.0 + 422'400.0)).epsilon(0.01));

  DriveConfig die = striped_drive();
  die.nand.read = ns(2'000'000);
  die.nand.bus_bytes_per_s = 1'000'000'000;
  CHECK(saturated(die, sequential) == Approx(8 * 8192e9 / (2'000'000.0 + 500.0 + 8448.0)).epsilon(0.01));
  die.nand.cache_read = true;
  CHECK(saturated(die, sequential) == Approx(8 * 8192e9 / 2'000'000.0).epsilon(0.01));

  DriveConfig controller = striped_drive();
  controller.controller = {ns(100'000), ns(100'000)};
  CHECK(saturated(controller, random) == Approx(4096e9 / 100'000.0).epsilon(0.01));
}

TEST_CASE("random reads leave dies idle like a closed queueing network") {
  // 8 servers, 64 customers, random routing: with exponential service 64 / (64 + 8 - 1) = 90 % busy; constant service
  // times are better, never above 100 %.
  DriveConfig die = striped_drive();
  die.nand.read = ns(2'000'000);
  die.nand.cache_read = true;
  die.nand.bus_bytes_per_s = 1'000'000'000;
  Drive drive(die, Clock::untimed);
  fill(drive);
  const double most = 8 * 4096e9 / 2'000'000.0;
  const double rate =
      bytes_per_s(run(drive, "rw=randread\nbs=4k\nnorandommap\niodepth=64\nio_size=200m\n"), Direction::read);
  CHECK(rate > 0.90 * most);
  CHECK(rate < most);
}

TEST_CASE("saturated sequential writes are bounded by link, channels and dies in turn, to 1 %") {
  const auto saturated = [](const DriveConfig& config) {
    Drive drive(config, Clock::timed);
    return bytes_per_s(run(drive, "rw=write\nbs=128k\niodepth=32\n"), Direction::write);
  };
  DriveConfig link = striped_drive();
  link.nand.program = {ns(10'000), ns(10'000)};
  link.nand.bus_bytes_per_s = 1'000'000'000;
  link.link.write_command = ns(0);
  CHECK(saturated(link) == Approx(4096e9 / 13'654.0).epsilon(0.01));

  DriveConfig channel = striped_drive();
  channel.nand.program = {ns(10'000), ns(10'000)};
  channel.nand.bus_bytes_per_s = 20'000'000;
  CHECK(saturated(channel) == Approx(4 * 8192e9 / (500.0 + 422'400.0)).epsilon(0.01));

  DriveConfig die = striped_drive();  // cached programs: the transfer overlaps with the array
  CHECK(saturated(die) == Approx(8 * 8192e9 / 600'000.0).epsilon(0.01));

  die.nand.cache_program = false;
  CHECK(saturated(die) == Approx(8 * 8192e9 / (600'000.0 + 500.0 + 84'480.0)).epsilon(0.01));
}

// Changes take effect in the layer in order of arrival, whatever the timing. Reads take effect when they can, so a mixed job
// is identical only at queue depth 1.
TEST_CASE("timed and untimed runs of one job place all pages and count identically") {
  for (const char* job :
       {"rw=randwrite\nbs=4k\nnorandommap\niodepth=32\nio_size=300m\n", "rw=randrw\nbs=2k\niodepth=1\nio_size=60m\n",
        "rw=randwrite\nbs=2k\niodepth=8\nio_size=60m\n", "rw=randtrimwrite\nbs=16k\niodepth=4\nloops=2\n"}) {
    Drive timed(striped_drive(), Clock::timed);
    Drive untimed(striped_drive(), Clock::untimed);
    run(timed, job);
    run(untimed, job);
    Signature a, b;
    sign(timed, a);
    sign(untimed, b);
    CHECK(a.text() == b.text());
    CHECK(timed.counters().media_write_bytes() == untimed.counters().media_write_bytes());
    CHECK(timed.counters().media_operations == untimed.counters().media_operations);
  }
}

TEST_CASE("a drive without versions places and counts like one with versions, and cannot be power-cycled") {
  Drive keeping(striped_drive(), Clock::timed), forgetting(striped_drive(), Clock::timed);
  forgetting.discard_versions();
  for (Drive* drive : {&keeping, &forgetting})
    run(*drive, "rw=randtrimwrite\nbs=6k\niodepth=4\nnorandommap\nio_size=100m\n");
  REQUIRE(keeping.medium().pages().keeps_versions());
  REQUIRE_FALSE(forgetting.medium().pages().keeps_versions());
  Signature a, b;
  sign_slots(keeping, a);
  sign_slots(forgetting, b);
  CHECK(a.text() == b.text());
  CHECK(keeping.counters().media_write_bytes() == forgetting.counters().media_write_bytes());
  CHECK_THROWS_AS(Lifecycle(forgetting).power_cycle(), CheckFailed);
  CHECK_THROWS_AS(forgetting.save(), CheckFailed);
}

TEST_CASE("doubling all times and halving all rates doubles every latency") {
  const auto ended = [](std::uint64_t factor) {
    DriveConfig c = striped_drive();
    c.nand.read *= factor;
    for (Nanoseconds& t : c.nand.program) t *= factor;
    c.nand.erase *= factor;
    c.nand.bus_command *= factor;
    c.nand.bus_bytes_per_s = 100'000'000 / factor;
    c.link = {300'000'000 / factor, 5400 * factor * ns(1), 6200 * factor * ns(1)};
    c.controller = {5000 * factor * ns(1), 5000 * factor * ns(1)};
    Drive drive(c, Clock::timed);
    return run(drive, "rw=randwrite\nbs=12k\nnorandommap\niodepth=8\nio_size=150m\n").ended.count();
  };
  // Approximate, because 12 KiB at 300 MB/s do not take a whole number of nanoseconds.
  CHECK(static_cast<double>(ended(2)) == Approx(2.0 * static_cast<double>(ended(1))).epsilon(1e-4));
}
