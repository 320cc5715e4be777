// The controller's part of a request: cores, latency, map search, its memory, read-ahead, the write cache.
#include "ftl/drive/drive.h"

#include <algorithm>

#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

Nanoseconds channel_time(std::uint64_t pages) { return ns(500) + transfer_time(pages * 4224, 100'000'000); }

// Latency of a read of one mapped 4 KiB page on an idle striped_drive(), without the times that the tests add.
Nanoseconds plain_read() { return ns(5000 + 50'000) + channel_time(1) + ns(5400) + transfer_time(4096, 300'000'000); }

double read_rate(const DriveConfig& config, const char* job) {
  Drive drive(config, Clock::untimed);
  fill(drive);
  return bytes_per_s(run(drive, job), Direction::read);
}

constexpr const char* kRandomReads = "rw=randread\nbs=4k\nnorandommap\niodepth=64\nio_size=60m\n";

DriveConfig extent_drive() {
  DriveConfig config = striped_drive();
  config.ftl.mapping.scheme = MappingConfig::Scheme::extent;
  config.ftl.mapping.extents = {1 << 20, 512, 900, 900, 4};
  return config;
}

DriveConfig reading_ahead() {
  DriveConfig config = striped_drive();
  config.controller.read_ahead = {2, 3, 2 * 32 * 4096};
  return config;
}

}  // namespace

TEST_CASE("two cores work on two commands at a time, and a third command waits for the first free core") {
  DriveConfig config = striped_drive();
  config.controller.cores = 2;
  Drive drive(config, Clock::timed);
  const Request three[] = {
      {0, Op::read, 0, 512, ns(0)}, {1, Op::read, 4096, 512, ns(1000)}, {2, Op::read, 8192, 512, ns(2000)}};
  drive.submit(three);
  Completion done[3];
  for (Completion& one : done) REQUIRE(drive.wait(kNever, {&one, 1}) == 1);
  CHECK(part(done[1], LatencyPart::controller_wait) == ns(0));
  CHECK(part(done[2], LatencyPart::controller_wait) == ns(3000));
  CHECK(part(done[2], LatencyPart::controller) == ns(5000));
}

TEST_CASE("random reads are bounded by the number of cores, to 1 %") {
  DriveConfig config = striped_drive();
  config.controller.read_command = ns(100'000);
  for (const std::uint32_t cores : {1u, 2u, 3u}) {
    config.controller.cores = cores;
    CHECK(read_rate(config, kRandomReads) == Approx(cores * 4096e9 / 100'000).epsilon(0.01));
  }
}

TEST_CASE("firmware time for pages is charged for each mapping page that a request touches") {
  DriveConfig config = striped_drive();
  config.controller.read_page = ns(300);
  config.controller.write_page = ns(700);
  Drive drive(config, Clock::timed);
  CHECK(part(execute(drive, Op::read, 512, 4096, ns(0)), LatencyPart::controller) == ns(5000 + 2 * 300));
  CHECK(part(execute(drive, Op::write, 0, 16'384, kLater), LatencyPart::controller) == ns(5000 + 4 * 700));
  CHECK(part(execute(drive, Op::flush, 0, 0, 2 * kLater), LatencyPart::controller) == ns(5000));
}

TEST_CASE("unmapped pages cost the firmware an extra time on top of that of every page") {
  DriveConfig config = striped_drive();
  config.controller.read_page = ns(300);
  config.controller.read_unmapped_page = ns(2000);
  Drive drive(config, Clock::timed);
  execute(drive, Op::write, 4096, 2 * 4096, ns(0));
  const auto firmware = [&](std::uint64_t pages, std::uint64_t when) {
    return part(execute(drive, Op::read, 0, pages * 4096, when * kLater), LatencyPart::controller);
  };
  CHECK(firmware(1, 1) == ns(5000 + 300 + 2000));
  CHECK(firmware(4, 2) == ns(5000 + 4 * 300 + 2000));  // the second one is made while other pages are on the link
  execute(drive, Op::trim, 4096, 4096, 3 * kLater);
  CHECK(firmware(4, 4) == ns(5000 + 4 * 300 + 2000));
}

TEST_CASE("unmapped pages are made one by one while earlier ones are on the link") {
  DriveConfig config = striped_drive();
  config.controller.read_unmapped_page = ns(100'000);  // longer than a page is on the link
  Drive drive(config, Clock::timed);
  const auto latency = [&](std::uint64_t pages, std::uint64_t when) {
    return execute(drive, Op::read, 0, pages * 4096, when * kLater).completed - when * kLater;
  };
  const Nanoseconds one = latency(1, 1);
  CHECK(latency(4, 2) == one + ns(3 * 100'000) - config.link.read_command);  // overlaps with making the second page
}

TEST_CASE("a latency inside the controller lengthens a command and occupies no core") {
  DriveConfig config = striped_drive();
  config.controller.read_latency = ns(1'000'000);
  config.controller.write_latency = ns(300'000);
  Drive drive(config, Clock::untimed);
  fill(drive);
  CHECK(execute(drive, Op::read, 0, 4096, kLater).completed - kLater == plain_read() + ns(1'000'000));
  const Completion write = execute(drive, Op::write, 0, 4096, 2 * kLater);
  CHECK(write.completed - 2 * kLater == ns(5000 + 300'000 + 6200) + transfer_time(4096, 300'000'000));
  const auto rate = [&](const char* depth) {
    return read_rate(config, (std::string("rw=randread\nbs=4k\nnorandommap\nio_size=20m\niodepth=") + depth).c_str());
  };
  // Four are not enough: a command takes 1.12 ms, of which the link is busy for 19 us.
  CHECK(rate("4") == Approx(4 * 4096e9 / (1'000'000.0 + static_cast<double>(plain_read().count()))).epsilon(0.03));
  CHECK(rate("256") == Approx(4096e9 / (5400 + 13'654)).epsilon(0.02));
}

TEST_CASE("page work that overlaps the data of a write delays it only if it takes longer than the data") {
  const auto lasts = [](std::uint64_t write_page_ns, std::uint64_t pages) {
    DriveConfig config = striped_drive();
    config.controller.write_page = ns(write_page_ns);
    config.controller.write_pages_beside_data = true;
    Drive drive(config, Clock::timed);
    const Completion done = execute(drive, Op::write, 0, pages * 4096, kLater);
    Nanoseconds parts{0};
    for (const Nanoseconds part : done.parts) parts += part;
    CHECK(parts == done.completed - kLater);
    return done.completed - kLater;
  };
  const Nanoseconds data = ns(6200) + transfer_time(4096, 300'000'000) * 8;
  CHECK(lasts(100, 8) == ns(5000) + data);           // 0.8 us of work, 115 of data
  CHECK(lasts(50'000, 8) == ns(5000 + 8 * 50'000));  // 400 us of work
}

TEST_CASE("a separate core for pages leaves the latency unchanged, and the slower core bounds the rate") {
  DriveConfig config = striped_drive();
  config.controller.read_command = ns(60'000);
  config.controller.read_page = ns(100'000);
  const auto rate_and_latency = [&config] {
    Drive drive(config, Clock::untimed);
    fill(drive);
    const Completion read = execute(drive, Op::read, 0, 4096, kLater);
    Nanoseconds parts{0};
    for (const Nanoseconds part : read.parts) parts += part;
    CHECK(parts == read.completed - kLater);
    return std::pair(read_rate(config, kRandomReads), parts);
  };
  const auto [in_turn, latency] = rate_and_latency();
  config.controller.pages_apart = true;
  const auto [apart, same_latency] = rate_and_latency();
  CHECK(same_latency == latency);
  CHECK(in_turn == Approx(4096e9 / 160'000).epsilon(0.01));
  CHECK(apart == Approx(4096e9 / 100'000).epsilon(0.01));
  config.controller.read_page = ns(20'000);
  CHECK(rate_and_latency().first == Approx(4096e9 / 60'000).epsilon(0.01));
}

TEST_CASE("the firmware pauses after a given amount of writes, and only the command that meets the pause waits") {
  DriveConfig config = striped_drive();
  Drive never(config, Clock::timed);
  const Nanoseconds plain = execute(never, Op::write, 0, 4096, kLater).completed - kLater;
  config.controller.pauses = {10 * 4096, ns(40'000'000)};
  Drive drive(config, Clock::timed);
  for (std::uint64_t write = 1; write <= 30; ++write) {
    const Nanoseconds issued = (10 * write) * kLater;
    const Completion done = execute(drive, Op::write, write * 4096, 4096, issued);
    CAPTURE(write);
    CHECK(done.completed - issued == plain + ns(write % 10 == 0 ? 40'000'000 : 0));
  }
}

TEST_CASE("the pages of a command use one core, so large reads scale with the queue depth up to the number of cores") {
  DriveConfig config = striped_drive();
  config.controller.read_page = ns(150'000);
  config.controller.cores = 4;
  const auto rate = [&config](const char* depth) {
    return read_rate(config, (std::string("rw=read\nbs=32k\nio_size=30m\niodepth=") + depth + "\n").c_str());
  };
  const double one_core = 8 * 4096e9 / (5000 + 8 * 150'000);
  CHECK(rate("32") == Approx(4 * one_core).epsilon(0.01));
  CHECK(rate("2") == Approx(2 * rate("1")).epsilon(0.02));
  CHECK(rate("4") == Approx(4 * rate("1")).epsilon(0.02));
  CHECK(rate("1") == Approx(one_core).epsilon(0.2));  // less the time after the core's work: array, channel and link
}

// 64 MiB of flash and 10,000 erases in 5 days allow 1.55 MB/s, however fast the flash is.
TEST_CASE("beyond its credit a drive writes as fast as its life curve allows, and reads at full speed") {
  DriveConfig config = striped_drive();
  config.ftl.failure_reserve = 1;
  config.ftl.gc.start_free = 4;
  config.endurance.program_erase_limit = 10'000;
  const auto run_on = [&config](const char* job) {
    Drive drive(config, Clock::timed);
    const RunStats stats = run(drive, job);
    return std::pair(static_cast<double>(stats.ended.count()) / 1e9, drive.counters());
  };
  constexpr const char* kOnce = "rw=write\nbs=64k\niodepth=4\nio_size=32m\n";
  const double free_s = run_on(kOnce).first;
  config.endurance.life_curve = {5, 0, 0};
  const double allowed = (64 << 20) * 10'000.0 / (5 * 86'400);
  CHECK(run_on(kOnce).first == Approx((32 << 20) / allowed).epsilon(0.02));
  const auto [seconds, counters] = run_on("rw=randwrite\nbs=4k\niodepth=4\nio_size=100m\nnorandommap\n");
  CHECK(counters.media_relocation_bytes > 0);
  CHECK(static_cast<double>(counters.media_write_bytes()) / seconds == Approx(allowed).epsilon(0.02));
  config.endurance.life_curve.credit_permille = 1;  // ten times the flash
  CHECK(run_on(kOnce).first == free_s);
  config.endurance.life_curve = {5, 0, 1};  // a day of rest is worth 2,000 times the flash
  CHECK(run_on(kOnce).first == free_s);

  config.endurance.life_curve = {5, 0, 0};
  Drive held(config, Clock::timed);
  const Nanoseconds next = execute(held, Op::write, 0, 1 << 20, ns(0)).completed;
  const Request both[] = {{1, Op::write, 1 << 20, 1 << 20, next}, {2, Op::read, 4 << 20, 4096, next}};
  held.submit(both);
  Completion first;
  REQUIRE(held.wait(kNever, {&first, 1}) == 1);
  CHECK(first.tag == 2);
  REQUIRE(held.wait(kNever, {&first, 1}) == 1);
  CHECK(part(first, LatencyPart::buffer_wait) > ns(100'000'000));
  CHECK(held.wait(kNever, {&first, 1}) == 0);
}

TEST_CASE("finding a page costs the same for each page of a page map") {
  DriveConfig config = striped_drive();
  config.controller.look_up_page = ns(250);
  Drive drive(config, Clock::untimed);
  fill(drive);
  const Completion read = execute(drive, Op::read, 0, 4096, kLater);
  CHECK(read.completed - kLater == plain_read() + ns(250));
  CHECK(part(read, LatencyPart::mapping) == ns(250));
  CHECK(part(read, LatencyPart::controller) == ns(5000));
  CHECK(part(execute(drive, Op::read, 0, 16'384, 2 * kLater), LatencyPart::mapping) == ns(4 * 250));
}

TEST_CASE("a map page in host memory costs a round trip and its transfer, and no flash read") {
  DriveConfig config = striped_drive();
  config.ftl.mapping.scheme = MappingConfig::Scheme::demand;
  config.ftl.mapping.cache.budget_bytes = 4096;  // one map page
  config.ftl.mapping.cache.entries_per_page = 64;
  const std::uint64_t map_pages = (config.user_bytes / 4096 + 63) / 64;
  config.ftl.mapping.translation_pages = static_cast<std::uint32_t>(map_pages);
  const auto after_reads = [&](std::uint64_t host_bytes, const std::vector<Nanoseconds>& expected) {
    config.ftl.mapping.host_memory_bytes = host_bytes;
    config.controller.host_memory_read = ns(20'000);
    Drive drive(config, Clock::untimed);
    fill(drive);
    const Counters before = drive.counters();
    std::uint64_t at = 0;
    for (const std::uint64_t page : {0, 1, 64, 2}) {  // map pages 0, 0, 1 and 0
      const Completion read = execute(drive, Op::read, page * 4096, 4096, (at + 1) * kLater);
      CAPTURE(host_bytes, page);
      CHECK(part(read, LatencyPart::mapping) == expected[at++]);
      CHECK(read.completed - read.parts[static_cast<std::size_t>(LatencyPart::mapping)] - at * kLater == plain_read());
    }
    const Counters counters = drive.counters();
    CHECK(counters.mapping_misses - before.mapping_misses == 3);
    return counters.mapping_pages_from_host - before.mapping_pages_from_host;
  };
  const Nanoseconds flash = ns(50'000) + channel_time(1), host = ns(20'000) + transfer_time(4096, 300'000'000);
  CHECK(after_reads(0, {flash, ns(0), flash, flash}) == 0);
  CHECK(after_reads(map_pages * 4096, {host, ns(0), host, host}) == 3);
  CHECK(after_reads(4096, {flash, ns(0), flash, host}) == 1);  // only the page that left the RAM last
}

TEST_CASE("a map page sent to host memory crosses the link before the one fetched from there") {
  DriveConfig config = striped_drive();
  config.link.bytes_per_s = 20'000'000;  // a page is on the link for longer than the host needs to answer
  config.controller.host_memory_read = ns(20'000);
  config.ftl.mapping.scheme = MappingConfig::Scheme::demand;
  config.ftl.mapping.cache.budget_bytes = 4096;
  config.ftl.mapping.cache.entries_per_page = 64;
  config.ftl.mapping.translation_pages = static_cast<std::uint32_t>((config.user_bytes / 4096 + 63) / 64);
  config.ftl.mapping.host_memory_bytes = 1 << 20;
  Drive drive(config, Clock::untimed);
  fill(drive);
  execute(drive, Op::read, 0, 4096, kLater);
  const Completion read = execute(drive, Op::read, 64 * 4096, 4096, 2 * kLater);  // map page 1 evicts map page 0
  CHECK(part(read, LatencyPart::mapping) == 2 * transfer_time(4096, 20'000'000));
}

TEST_CASE("finding a page in an extent map costs a step per level, but nothing for the last page or its successor") {
  DriveConfig config = extent_drive();
  config.controller.look_up_step = ns(1000);
  Drive drive(config, Clock::untimed);
  fill(drive);
  const auto levels = static_cast<std::uint64_t>(std::bit_width(drive.counters().extents));
  REQUIRE(levels >= 5);
  const auto search = [&](std::uint64_t page, std::uint64_t pages, std::uint64_t when) {
    return part(execute(drive, Op::read, page * 4096, pages * 4096, when * kLater), LatencyPart::mapping);
  };
  CHECK(search(100, 2, 1) == ns(levels * 1000));
  CHECK(search(102, 1, 2) == ns(0));
  CHECK(search(104, 1, 3) == ns(levels * 1000));
  CHECK(search(104, 1, 4) == ns(0));
  CHECK(search(105, 1, 5) == ns(0));
}

TEST_CASE("map search slows down random reads but not sequential ones, by its time on the core") {
  DriveConfig config = extent_drive();
  config.controller.look_up_step = ns(20'000);
  Drive drive(config, Clock::untimed);
  fill(drive);
  const auto levels = static_cast<double>(std::bit_width(drive.counters().extents));
  const double random = bytes_per_s(run(drive, kRandomReads), Direction::read);
  CHECK(random == Approx(4096e9 / (5000 + levels * 20'000)).epsilon(0.01));
  CHECK(read_rate(config, "rw=read\nbs=4k\niodepth=32\nio_size=20m\n") > 2 * random);
}

TEST_CASE("read data cross the controller's memory twice, write data once before completion") {
  DriveConfig config = striped_drive();
  config.dram.bytes_per_s = 400'000'000;
  Drive drive(config, Clock::untimed);
  fill(drive);
  const Nanoseconds crossing = transfer_time(4096, 400'000'000), both = transfer_time(2 * 4096, 400'000'000);
  const Completion read = execute(drive, Op::read, 0, 4096, kLater);
  CHECK(read.completed - kLater == plain_read() + both);
  CHECK(part(read, LatencyPart::dram) == both);
  const Completion write = execute(drive, Op::write, 0, 4096, 2 * kLater);
  CHECK(part(write, LatencyPart::dram) == crossing);
  CHECK(write.completed - 2 * kLater == ns(5000 + 6200) + transfer_time(4096, 300'000'000) + crossing);
  const Completion buffered = execute(drive, Op::read, 0, 4096, 3 * kLater);
  CHECK(part(buffered, LatencyPart::dram) == crossing);
  config.dram.reads_bypass = true;
  Drive bypassing(config, Clock::untimed);
  fill(bypassing);
  CHECK(execute(bypassing, Op::read, 0, 4096, kLater).completed - kLater == plain_read());
}

TEST_CASE("reads and writes are bounded by the controller's memory, to 1 %") {
  DriveConfig config = striped_drive();
  config.dram.bytes_per_s = 40'000'000;
  CHECK(read_rate(config, kRandomReads) == Approx(20e6).epsilon(0.01));
  Drive drive(config, Clock::timed);
  CHECK(bytes_per_s(run(drive, "rw=write\nbs=128k\niodepth=32\n"), Direction::write) == Approx(20e6).epsilon(0.01));
}

TEST_CASE("a page read ahead costs controller and link only, or the wait until it arrives") {
  Drive drive(reading_ahead(), Clock::untimed);
  fill(drive);
  Nanoseconds at = kLater;
  for (std::uint64_t page = 0; page < 3; ++page) at = execute(drive, Op::read, page * 4096, 4096, at).completed;
  CHECK(drive.counters().read_ahead_pages == 32);
  // The third request fetched the rest of its own stripe when it was executed, right after its own page.
  const Completion late = execute(drive, Op::read, 3 * 4096, 4096, at);
  CHECK(late.completed > at + ns(5000 + 5400) + transfer_time(4096, 300'000'000));
  CHECK(part(late, LatencyPart::die) == ns(0));
  const Completion hit = execute(drive, Op::read, 4 * 4096, 4096, 2 * kLater);
  CHECK(hit.completed == 2 * kLater + ns(5000 + 5400) + transfer_time(4096, 300'000'000));
  CHECK(drive.counters().read_ahead_hits == 2);
}

TEST_CASE("small sequential reads at queue depth 1 are faster than random ones with read-ahead, and not without") {
  const auto both = [](const DriveConfig& config) {
    const double random = read_rate(config, "rw=randread\nbs=4k\nnorandommap\niodepth=1\nio_size=8m\n");
    return std::pair(read_rate(config, "rw=read\nbs=4k\niodepth=1\nio_size=8m\n"), random);
  };
  const auto [sequential, random] = both(striped_drive());
  CHECK(sequential == Approx(random).epsilon(0.01));
  const auto [ahead, still_random] = both(reading_ahead());
  CHECK(still_random == Approx(random).epsilon(0.01));
  CHECK(ahead == Approx(4096e9 / (5000 + 5400 + 13'654)).epsilon(0.03));
}

TEST_CASE("pages read ahead are dropped when they are written or trimmed") {
  Drive drive(reading_ahead(), Clock::untimed);
  fill(drive);
  Nanoseconds at = kLater;
  for (std::uint64_t page = 0; page < 3; ++page) at = execute(drive, Op::read, page * 4096, 4096, at).completed;
  ContentLog log;
  drive.report_contents(&log);
  execute(drive, Op::write, 3 * 4096, 4096, 2 * kLater);
  execute(drive, Op::trim, 4 * 4096, 4096, 3 * kLater);
  CHECK(drive.counters().read_ahead_wasted == 2);
  execute(drive, Op::read, 3 * 4096, 3 * 4096, 4 * kLater);
  CHECK(drive.counters().read_ahead_hits == 1);  // the third page
  REQUIRE(log.returned.size() == 3);
  CHECK(log.returned[0].version == number(drive.ftl().pages().newest_version()));
  CHECK(log.returned[1].version == 0);
}

TEST_CASE("read-ahead never returns other content than the flash") {
  Drive plain(striped_drive(), Clock::untimed), ahead(reading_ahead(), Clock::untimed);
  ContentLog from_plain, from_ahead;
  plain.report_contents(&from_plain);
  ahead.report_contents(&from_ahead);
  RandomStream random(11, "reading ahead");
  std::uint64_t next = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t kind = random.below(10);
    const Op op = kind < 7 ? Op::read : kind < 9 ? Op::write : Op::trim;
    if (random.chance(1, 6)) next = random.below(200);
    const std::uint64_t pages = 1 + random.below(3);
    // Writes go to pages ahead of the reads, into their windows.
    const std::uint64_t first = op == Op::read ? next : next + random.below(20);
    for (Drive* drive : {&plain, &ahead}) execute(*drive, op, first * 4096, pages * 4096, ns(0));
    if (op == Op::read) next = first + pages;
  }
  REQUIRE(from_plain.returned.size() == from_ahead.returned.size());
  REQUIRE(ahead.counters().read_ahead_hits > 1000);
  CHECK(std::equal(from_plain.returned.begin(), from_plain.returned.end(), from_ahead.returned.begin(),
                   [](const auto& a, const auto& b) { return a.granule == b.granule && a.version == b.version; }));
}

TEST_CASE("timed and untimed drives read the same pages ahead and hit the same") {
  for (const char* job : {"rw=read\nbs=2k\niodepth=4\nio_size=20m\n", "rw=randrw\nbs=8k\nio_size=20m\nnorandommap\n",
                          "rw=rw\nbs=4k\niodepth=1\nio_size=40m\n"}) {
    Drive timed(reading_ahead(), Clock::untimed), untimed(reading_ahead(), Clock::untimed);
    fill(timed);
    fill(untimed);
    untimed.set_clock(Clock::untimed);
    run(timed, job);
    run(untimed, job);
    const Counters a = timed.counters(), b = untimed.counters();
    CHECK(a.media_read_bytes == b.media_read_bytes);
    CHECK(a.media_operations == b.media_operations);
    CHECK(a.read_ahead_hits == b.read_ahead_hits);
    CHECK(a.read_ahead_wasted == b.read_ahead_wasted);
  }
}

TEST_CASE("with its write cache off a drive completes a write when the data are in the flash") {
  DriveConfig config = striped_drive();
  config.ftl.buffer.write_back = false;
  Drive drive(config, Clock::timed);
  const Completion done = execute(drive, Op::write, 0, 4096, ns(0));
  const Nanoseconds arrived = ns(5000 + 6200) + transfer_time(4096, 300'000'000);
  CHECK(done.completed == arrived + channel_time(2) + ns(300'000));
  CHECK(part(done, LatencyPart::die) == done.completed - arrived);
  CHECK(drive.ftl().pages().all_in_flash());
  CHECK(drive.counters().media_padding_bytes == 4096);
}

TEST_CASE("the latency parts sum exactly under load with all features on") {
  DriveConfig config = extent_drive();
  config.controller = {ns(5000), ns(5000),   ns(0),      2,     ns(300), ns(300),
                       ns(0),    ns(40'000), ns(10'000), ns(0), ns(200), {2, 3, 2 * 32 * 4096}};
  config.dram.bytes_per_s = 400'000'000;
  config.link.full_duplex = true;
  config.link.queue_depth = 3;
  config.link.queues = 2;
  config.link.commands = 5;
  config.link.submit = ns(900);
  config.link.complete = ns(600);
  Drive drive(config, Clock::untimed);
  fill(drive);
  HostSoftware host(drive, {ns(2000), ns(1000), 2});
  JobContext context;
  context.capacity_bytes = config.user_bytes;
  const JobFile file = parse_job_file(
      "[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrw=randrw\nbsrange=512-64k\niodepth=8\nnumjobs=3\nio_size=20m\n",
      "test", context);
  const RunStats stats = run_jobs(host, file.jobs, {});
  LatencyParts sums{};
  for (const JobStats& job : stats.jobs) {
    Nanoseconds parts{0};
    for (std::size_t p = 0; p < kLatencyPartCount; ++p) {
      parts += job.parts[p];
      sums[p] += job.parts[p];
    }
    CHECK(parts.count() == job.directions[0].latency.total_ns() + job.directions[1].latency.total_ns());
  }
  for (std::size_t p = 0; p < kLatencyPartCount; ++p) {
    const auto part = static_cast<LatencyPart>(p);
    const bool elsewhere = part == LatencyPart::seek || part == LatencyPart::rotation || part == LatencyPart::media ||
                           part == LatencyPart::retry;  // parts of disks, and of flash with bit errors
    INFO(kLatencyPartNames[p]);
    CHECK((sums[p] > ns(0)) == !elsewhere);
  }
}

TEST_CASE("a drive with all features on continues exactly from a saved state") {
  DriveConfig config = extent_drive();
  config.controller = {ns(5000), ns(5000),   ns(0),      2,     ns(300), ns(300),
                       ns(0),    ns(40'000), ns(10'000), ns(0), ns(200), {2, 3, 2 * 32 * 4096}};
  config.dram.bytes_per_s = 400'000'000;
  config.link.full_duplex = true;
  config.link.queue_depth = 4;
  config.link.queues = 2;
  config.link.commands = 6;
  Drive one(config, Clock::untimed);
  fill(one);
  const char* job = "rw=rw\nbs=4k\niodepth=8\nio_size=10m\nnumjobs=2\noffset_increment=20m\n";
  run(one, job);
  Drive other(config, Clock::timed);
  other.load(one.save());
  const auto go_on = [&](Drive& drive) {
    Request request{0, Op::read, 20 << 20, 4096, 100 * kLater};
    Signature seen;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      request.op = i % 5 == 0 ? Op::write : Op::read;
      request.queue = static_cast<std::uint16_t>(i % 3);
      request.offset_bytes = (i % 7 < 5 ? i : i * 7919 % 4000) * 4096;
      drive.submit({&request, 1});
      ++request.tag;
      request.issued += ns(20'000);
      Completion done;
      while (drive.wait(request.issued, {&done, 1}) == 1) seen.add(done.completed.count() ^ done.tag << 50);
    }
    return seen.value();
  };
  CHECK(go_on(one) == go_on(other));
}

TEST_CASE("idle collection stops when the host returns, except for the stripe in progress") {
  DriveConfig config = striped_drive();
  config.ftl.gc = {0, 3, 6, 8};
  config.ftl.gc.idle_after = ns(1'000'000);
  config.ftl.gc.idle_stop_free = 8;
  const auto collected_after = [&](std::uint64_t silence_ns) {
    Drive drive(config, Clock::untimed);
    fill(drive);
    run(drive, "rw=randwrite\nbs=4k\nnorandommap\nio_size=60m\n");
    const Nanoseconds ended = execute(drive, Op::read, 0, 4096, drive.idle_from()).completed;  // no work is left
    const Counters before = drive.counters();
    const Nanoseconds back = ended + ns(silence_ns);
    execute(drive, Op::read, 0, 4096, back);
    return std::pair(drive.counters().relocated_pages - before.relocated_pages, drive.idle_from() - back);
  };
  CHECK(collected_after(1'000'000).first == 0);
  CHECK(collected_after(1'000'001).first > 0);
  // Long after the backlog of the job, during collection: its reads and programs in flight and one erase.
  const auto [some, late] = collected_after(100'000'000);
  CHECK(late < ns(2 * 900'000 + 2'000'000));
  const auto [all, long_over] = collected_after(10'000'000'000);
  CHECK(all > 4 * some);
  CHECK(long_over < ns(200'000));  // only the read
}

TEST_CASE("deferred trims are executed in idle time if there is any, otherwise they wait for writes") {
  for (const bool idle : {false, true}) {
    DriveConfig config = striped_drive();
    config.ftl.trim.mode = TrimConfig::Mode::deferred;
    if (idle) {
      config.ftl.gc.idle_after = ns(1'000'000);
      config.ftl.gc.idle_stop_free = 8;
    }
    Drive drive(config, Clock::untimed);
    fill(drive);
    const Nanoseconds trimmed = execute(drive, Op::trim, 0, 100 * 4096, kLater).completed;
    execute(drive, Op::read, 0, 4096, trimmed + ns(10'000'000'000));
    CHECK(drive.ftl().counts().trimmed_pages == (idle ? 100 : 0));
  }
}

// 5,000 trims of one page with a record of 24 bytes each: 29 pages of records, and 1,216 bytes that wait.
TEST_CASE("trim records fill pages of the flash") {
  for (const std::uint32_t bytes : {0u, 1u, 24u, 1024u}) {
    DriveConfig config = striped_drive();
    config.ftl.trim.record_bytes = bytes;
    Drive drive(config, Clock::untimed);
    fill(drive);
    drive.set_clock(Clock::untimed);
    const Counters before = drive.counters();
    for (std::uint64_t page = 0; page < 5000; ++page) execute(drive, Op::trim, 2 * page * 4096, 4096, kLater);
    const Counters after = drive.counters();
    CHECK(after.trimmed_pages - before.trimmed_pages == 5000);
    CHECK(after.media_mapping_bytes - before.media_mapping_bytes == std::uint64_t{bytes} * 5000 / 4096 * 4096);
    CHECK(after.media_padding_bytes == before.media_padding_bytes);
    CHECK(inspect(drive.ftl()).empty());
  }
}

// Trims of every other page take effect only as far as the table of waiting ranges has room.
TEST_CASE("trims that find the table full are dropped") {
  for (const std::uint32_t ranges : {0u, 100u}) {
    DriveConfig config = striped_drive();
    config.ftl.trim.mode = TrimConfig::Mode::deferred;
    config.ftl.trim.pages_per_host_write = 1;
    config.ftl.trim.reads_old_data = true;
    config.ftl.trim.waiting_ranges = ranges;
    Drive drive(config, Clock::untimed);
    fill(drive);
    drive.set_clock(Clock::untimed);
    for (std::uint64_t page = 0; page < 1000; ++page) execute(drive, Op::trim, 2 * page * 4096, 4096, kLater);
    const std::uint32_t mapped = drive.ftl().store().pages().mapped();
    run(drive, "rw=write\nbs=4k\noffset=40m\nio_size=8m\n");  // to mapped pages
    CHECK(drive.ftl().store().pages().mapped() == mapped - (ranges == 0 ? 1000 : ranges));
    CHECK(inspect(drive.ftl()).empty());
  }
}

TEST_CASE("a trim that is not queued waits for earlier commands, and later commands wait for it") {
  for (const bool queued : {false, true}) {
    DriveConfig config = striped_drive();
    config.ftl.trim.queued = queued;
    Drive drive(config, Clock::untimed);
    fill(drive);
    const Request requests[] = {
        {0, Op::read, 0, 4096, kLater}, {1, Op::trim, 1 << 20, 4096, kLater}, {2, Op::read, 8192, 4096, kLater}};
    drive.submit(requests);
    Completion done[3];
    for (int left = 3; left > 0; --left) {
      Completion next;
      REQUIRE(drive.wait(kNever, {&next, 1}) == 1);
      done[next.tag] = next;
    }
    CHECK((done[1].completed > done[0].completed) == !queued);
    CHECK((done[2].completed > done[0].completed + ns(50'000)) == !queued);  // one die read later
    const Completion alone = execute(drive, Op::trim, 2 << 20, 4096, 2 * kLater);
    CHECK(alone.completed - 2 * kLater < ns(100'000));
    CHECK(alone.completed > 2 * kLater);
  }
}

TEST_CASE("a drive with requests in flight or in its queues is not at rest") {
  DriveConfig config = striped_drive();
  config.link.queue_depth = 1;
  Drive drive(config, Clock::timed);
  const Request two[] = {{0, Op::read, 0, 4096, ns(0)}, {1, Op::read, 4096, 4096, ns(0)}};
  drive.submit(two);
  Completion done;
  for (int left = 2; left > 0; --left) {
    CHECK_THROWS_AS(drive.save(), CheckFailed);
    REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
  }
  CHECK_NOTHROW(drive.save());
}
