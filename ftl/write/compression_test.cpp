// Drives that compress: slots and time of packed pages, and the effect of compression on write amplification.
#include <algorithm>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/counters.h"
#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

DriveConfig packing_drive() { return packing(striped_drive()); }

// Media bytes over host bytes in the last of four random drive writes.
double wa_of(const DriveConfig& config, const std::string& content) {
  Drive drive(config, Clock::untimed);
  Counters before;
  for (int pass = 0; pass < 4; ++pass) {
    before = drive.counters();
    JobContext context;
    context.capacity_bytes = config.user_bytes;
    const JobFile job = parse_job_file(
        "[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrw=randwrite\nbs=4k\nnorandommap=1\n"
        "randseed=" +
            std::to_string(pass) + "\n" + content,
        "test", context);
    run_jobs(drive, job.jobs, {});
  }
  REQUIRE(inspect(drive.ftl()).empty());
  const Counters run = difference(drive.counters(), before);
  return static_cast<double>(run.media_write_bytes()) / static_cast<double>(run.host_write_bytes);
}

}  // namespace

TEST_CASE("a compressed page is read as a whole, and only its slots cross the channel") {
  Drive drive(packing_drive(), Clock::untimed);
  execute(drive, Op::write, 0, 4096, Nanoseconds{0}, 250);  // two slots
  execute(drive, Op::flush, 0, 0, Nanoseconds{0});
  drive.set_clock(Clock::timed);
  const Completion done = execute(drive, Op::read, 0, 512, kLater);
  const Nanoseconds channel = Nanoseconds{500} + transfer_time(1024 + 32, 100'000'000);  // one codeword of 1024 bytes
  CHECK(part(done, LatencyPart::die) == Nanoseconds{50'000});
  CHECK(part(done, LatencyPart::channel) == channel);
  CHECK(part(done, LatencyPart::link) == Nanoseconds{5400} + transfer_time(512, 300'000'000));
}

TEST_CASE("a page that spans two stripes is read from two dies at the same time") {
  Drive drive(packing_drive(), Clock::untimed);
  for (std::uint64_t page = 0; page < 3; ++page) execute(drive, Op::write, page * 4096, 4096, Nanoseconds{0}, 750);
  execute(drive, Op::flush, 0, 0, Nanoseconds{0});
  drive.set_clock(Clock::timed);
  // Slots 0-5, 6-11, 12-17: the third page has four slots in the first stripe and two in the second, on another channel.
  const std::uint64_t before = drive.counters().media_operations;
  const Completion done = execute(drive, Op::read, 2 * 4096, 4096, kLater);
  CHECK(drive.counters().media_operations - before == 2);
  CHECK(part(done, LatencyPart::die) == Nanoseconds{50'000});
  CHECK(part(done, LatencyPart::channel) == Nanoseconds{500} + transfer_time(2048 + 64, 100'000'000));
}

TEST_CASE("neighbouring pages in one stripe are read in one operation") {
  Drive drive(packing_drive(), Clock::untimed);
  execute(drive, Op::write, 0, 4 * 4096, Nanoseconds{0}, 125);
  execute(drive, Op::flush, 0, 0, Nanoseconds{0});
  drive.set_clock(Clock::timed);
  const std::uint64_t before = drive.counters().media_operations;
  const Completion done = execute(drive, Op::read, 0, 4 * 4096, kLater);
  CHECK(drive.counters().media_operations - before == 1);
  CHECK(part(done, LatencyPart::channel) == Nanoseconds{500} + transfer_time(2048 + 64, 100'000'000));
  CHECK(part(done, LatencyPart::link) == Nanoseconds{5400} + transfer_time(16384, 300'000'000));
}

TEST_CASE("sequential writes of compressible data take flash time in proportion to their compressed size") {
  DriveConfig config = packing_drive();
  config.link = {6'000'000'000, Nanoseconds{0}, Nanoseconds{0}};
  config.controller = {Nanoseconds{100}, Nanoseconds{100}};
  const auto seconds = [&](const std::string& content) {
    Drive drive(config, Clock::timed);
    JobContext context;
    context.capacity_bytes = config.user_bytes;
    const JobFile job = parse_job_file(
        "[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\niodepth=32\nrw=write\nbs=128k\nend_fsync=1\n" + content, "test",
        context);
    const RunStats stats = run_jobs(drive, job.jobs, {});
    return static_cast<double>((stats.jobs.front().ended - stats.jobs.front().started).count()) * 1e-9;
  };
  const double whole = seconds(""), half = seconds("buffer_compress_percentage=50\n"), zeros = seconds("zero_buffers=1\n");
  CHECK(half / whole == Approx(0.5).epsilon(0.03));
  CHECK(zeros / whole == Approx(0.125).epsilon(0.06));
}

TEST_CASE("write amplification is an eighth for zeros, below one for desktop data and above one for random bytes") {
  const DriveConfig config = packing_drive();
  CHECK(wa_of(config, "zero_buffers=1\n") == Approx(0.125).epsilon(0.01));
  const double desktop = wa_of(config, "buffer_compress_percentage=55\n");
  CHECK(desktop > 0.44);
  CHECK(desktop < 0.6);
  CHECK(wa_of(config, "") > 1.5);
}

TEST_CASE("compressible data leave spare space, so the drive relocates less per stored byte") {
  const DriveConfig config = packing_drive();
  const double none = wa_of(config, ""), little = wa_of(config, "buffer_compress_percentage=13\n");  // 7 of 8 slots
  CHECK(little / 0.875 < 0.75 * none);
}

TEST_CASE("incompressible data cost a drive that compresses as much as one that does not") {
  DriveConfig plain = packing_drive();
  plain.ftl.compression = {};
  plain.ftl.buffer.pages = 64;
  const double packed = wa_of(packing_drive(), "");
  CHECK(packed == Approx(wa_of(plain, "")).epsilon(0.02));
}

TEST_CASE("a partial overwrite of a compressed page keeps the compressed size of the rest") {
  Drive drive(packing_drive(), Clock::untimed);
  execute(drive, Op::write, 0, 4096, Nanoseconds{0}, 500);
  execute(drive, Op::flush, 0, 0, Nanoseconds{0});
  execute(drive, Op::write, 0, 2048, Nanoseconds{0}, 1000);  // half random bytes: 750 thousandths in total
  const Counters before = drive.counters();
  execute(drive, Op::flush, 0, 0, Nanoseconds{0});
  const Counters run = difference(drive.counters(), before);
  CHECK(run.read_modify_writes == 1);
  CHECK(run.media_host_bytes + run.media_fill_bytes == 6 * 512);
  CHECK(run.media_fill_bytes == 3 * 512);
}

TEST_CASE("a packed drive continues identically from a saved state, and keeps everything through a power cut") {
  const DriveConfig config = packing_drive();
  Drive first(config, Clock::timed), second(config, Clock::timed);
  RandomStream random(3, "packed");
  Nanoseconds now{0};
  const auto write = [&](Drive& drive, std::uint64_t page, std::uint64_t stored) {
    return execute(drive, Op::write, page * 4096, 4096, now, stored).completed;
  };
  for (int i = 0; i < 30'000; ++i) now = write(first, random.below(14'000), random.below(1001));
  second.load(first.save());
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t page = random.below(14'000), stored = random.below(1001);
    const Nanoseconds done = write(first, page, stored);
    REQUIRE(write(second, page, stored) == done);
    now = done;
  }
  execute(first, Op::flush, 0, 0, now);
  std::vector<Version> before;
  for (std::uint32_t l = 0; l < config.logical_pages(); ++l) before.push_back(first.ftl().pages().version(Lpn{l}));
  Lifecycle(first).power_cycle();
  for (std::uint32_t l = 0; l < config.logical_pages(); ++l) REQUIRE(first.ftl().pages().version(Lpn{l}) == before[l]);
  CHECK(inspect(first.ftl()).empty());
}

namespace {

// Media bytes over host bytes of the first fifth of a drive write after everything was trimmed.
double wa_after_trim(TrimConfig trim, std::uint64_t stored) {
  DriveConfig config = packing_drive();
  config.ftl.trim = trim;
  Drive drive(config, Clock::untimed);
  RandomStream random(5, "before and after the trim");
  const std::uint64_t pages = config.logical_pages();
  for (std::uint64_t i = 0; i < 3 * pages; ++i)
    execute(drive, Op::write, (i < pages ? i : random.below(pages)) * 4096, 4096, Nanoseconds{0}, stored);
  execute(drive, Op::trim, 0, config.user_bytes, Nanoseconds{0});
  const Counters before = drive.counters();
  for (std::uint64_t i = 0; i < pages / 5; ++i)
    execute(drive, Op::write, random.below(pages) * 4096, 4096, Nanoseconds{0}, stored);
  const Counters run = difference(drive.counters(), before);
  return static_cast<double>(run.media_write_bytes()) / static_cast<double>(run.host_write_bytes);
}

}  // namespace

TEST_CASE("deferred trims do not restore a drive full of incompressible data at once; zeros never fill it") {
  TrimConfig at_once, later;
  later.mode = TrimConfig::Mode::deferred;
  later.pages_per_host_write = 1;
  CHECK(wa_after_trim(at_once, 1000) < 1.1);
  CHECK(wa_after_trim(later, 1000) > 1.5);
  CHECK(wa_after_trim(later, 0) == Approx(0.125).epsilon(0.01));
}
