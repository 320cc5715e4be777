#include "validation/measure/device/real_device.h"

#include <unistd.h>

#include <map>
#include <set>

#include "sim/host/host.h"
#include "sim/host/stack/passing_device.h"
#include "sim/workload/testing/jobs.h"
#include "validation/measure/testing/target.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kSize = 16 * kMiB;

std::unique_ptr<Engine> engine_for(const TestTarget& target, EngineKind kind, std::size_t depth) {
  std::string why_not;
  std::unique_ptr<Engine> engine = make_engine(kind, target.descriptor(), TargetKind::regular_file, depth, why_not);
  if (kind == EngineKind::best && !why_not.empty()) WARN("io_uring is not tested: " << why_not);
  return engine;
}

// Records the requests and statuses that pass through.
class Tap final : public PassingDevice {
 public:
  explicit Tap(Device& device) : PassingDevice(device) {}
  void submit(std::span<const Request> batch) override {
    requests.insert(requests.end(), batch.begin(), batch.end());
    outstanding += batch.size();
    most_outstanding = std::max(most_outstanding, outstanding);
    behind().submit(batch);
  }
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    const std::size_t count = behind().wait(until, out);
    for (std::size_t i = 0; i < count; ++i) statuses.insert(out[i].status);
    outstanding -= count;
    return count;
  }

  std::vector<Request> requests;
  std::set<Status> statuses;
  std::size_t outstanding = 0, most_outstanding = 0;
};

struct Run {
  explicit Run(EngineKind kind, const std::string& lines, const std::function<void(TestTarget&)>& before = {}) {
    if (!target.possible()) return;
    if (before) before(target);
    RealDevice device(target.permit(), engine_for(target, kind, 64), {"a file", 1, 77, 64});
    const JobFile file = parse(job_text(lines), kSize);
    device.prepare(file.jobs);
    Tap tap(device);
    stats = run_jobs(tap, file.jobs, {});
    job = file.jobs[0];
    requests = tap.requests;
    statuses = tap.statuses;
    most_outstanding = tap.most_outstanding;
  }
  const DirectionStats& of(Direction d) const { return stats.jobs[0].directions[static_cast<std::size_t>(d)]; }

  TestTarget target{kSize};
  RunStats stats;
  Job job;
  std::vector<Request> requests;
  std::set<Status> statuses;
  std::size_t most_outstanding = 0;
};

// Completes requests at once without executing them. Records how many are passed and taken back together.
class CountingEngine final : public Engine {
 public:
  std::string description() const override { return "counts"; }
  void use_memory(std::span<std::byte>, std::size_t) override {}
  void start(const Permit&, const Work& work) override { started_.push_back(work); }
  void push() override {
    if (!started_.empty()) pushes.push_back(started_.size());
    done_.insert(done_.end(), started_.begin(), started_.end());
    started_.clear();
  }
  std::size_t wait(Nanoseconds, std::span<Outcome> out) override {
    push();
    rooms.insert(out.size());
    const std::size_t count = std::min(out.size(), done_.size());
    for (std::size_t i = 0; i < count; ++i) out[i] = {done_[i].place, static_cast<std::int64_t>(done_[i].length_bytes)};
    done_.erase(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }

  std::vector<std::size_t> pushes;
  std::set<std::size_t> rooms;

 private:
  std::vector<Work> started_, done_;
};

constexpr EngineKind kBoth[] = {EngineKind::best, EngineKind::threads};

}  // namespace

TEST_CASE("a real device gets exactly the requests of a simulated one, in the same order") {
  for (const EngineKind kind : kBoth) {
    const Run run(kind, "rw=randrw\nbs=4k\nsize=4m\niodepth=16");
    if (!run.target.possible()) return;
    const std::vector<Access> expected = sequence(run.job);
    REQUIRE(run.requests.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      REQUIRE(run.requests[i].offset_bytes == expected[i].offset_bytes);
      REQUIRE((run.requests[i].op == Op::write) == (expected[i].direction == Direction::write));
    }
    CHECK(run.most_outstanding == 16);
    CHECK(run.statuses == std::set<Status>{Status::ok});
    CHECK(run.of(Direction::write).bytes + run.of(Direction::read).bytes == 4 * kMiB);
    CHECK(run.stats.device_after.host_write_bytes == run.of(Direction::write).bytes);
  }
}

TEST_CASE("requests go to the kernel and back in batches as the jobs say, by default one by one") {
  using Sizes = std::vector<std::size_t>;
  TestTarget target(kSize);
  if (!target.possible()) return;
  const auto counted = [&](const std::string& lines) {
    auto owned = std::make_unique<CountingEngine>();
    const CountingEngine& engine = *owned;
    RealDevice device(target.permit(), std::move(owned), {"a file", 1, 77, 64});
    const JobFile file = parse(job_text("rw=randread\nbs=4k\nsize=64k\niodepth=8\n" + lines), kSize);
    device.prepare(file.jobs);
    run_jobs(device, file.jobs, {});
    return std::pair(engine.pushes, engine.rooms);
  };
  CHECK(counted("") == std::pair(Sizes(16, 1), std::set<std::size_t>{1}));
  CHECK(counted("iodepth_batch=4\niodepth_batch_complete_min=4") == std::pair(Sizes(4, 4), std::set<std::size_t>{4}));
  CHECK(counted("iodepth_batch=3\niodepth_batch_complete_max=8").first.front() == 3);
  CHECK(counted("iodepth_batch_complete_max=8").first == Sizes(16, 1));
  CHECK(counted("numjobs=2").second == std::set<std::size_t>{2});
}

TEST_CASE("written blocks are on the device, each with its own bytes, and nothing is written outside the region") {
  for (const EngineKind kind : kBoth) {
    const Run run(kind, "rw=randwrite\nbs=4k\nsize=1m\noffset=2m\niodepth=8\nfsync=16",
                  [](TestTarget& target) { target.overwrite(0, std::string(kSize, 'x')); });
    if (!run.target.possible()) return;
    CHECK(run.target.bytes(0, 2 * kMiB) == std::string(2 * kMiB, 'x'));
    CHECK(run.target.bytes(3 * kMiB, 13 * kMiB) == std::string(13 * kMiB, 'x'));
    std::set<std::string> blocks;
    for (std::uint64_t at = 2 * kMiB; at < 3 * kMiB; at += 4096) blocks.insert(run.target.bytes(at, 4096));
    CHECK(blocks.size() == 256);
    CHECK(run.stats.jobs[0].flushes.full == 15);
  }
}

TEST_CASE("writes next to reads contain no data that was read") {
  const std::string old(4096, 'x');
  const Run run(EngineKind::best, "rw=randrw\nbs=4k\nsize=1m\niodepth=8",
                [](TestTarget& target) { target.overwrite(0, std::string(kSize, 'x')); });
  if (!run.target.possible()) return;
  std::set<std::string> written;
  for (std::uint64_t at = 0; at < kMiB; at += 4096)
    if (const std::string block = run.target.bytes(at, 4096); block != old) written.insert(block);
  CHECK(written.size() == run.of(Direction::write).requests);
  for (const std::string& block : written) CHECK(block.find(old.substr(0, 8)) == std::string::npos);
}

TEST_CASE("trimmed blocks of a file become holes") {
  for (const EngineKind kind : kBoth) {
    const Run run(kind, "rw=trim\nbs=64k\nsize=1m\niodepth=4",
                  [](TestTarget& target) { target.overwrite(0, std::string(kSize, 'x')); });
    if (!run.target.possible()) return;
    CHECK(run.target.bytes(0, kMiB) == std::string(kMiB, '\0'));
    CHECK(run.target.bytes(kMiB, kMiB) == std::string(kMiB, 'x'));
    CHECK(run.stats.device_after.host_trim_bytes == kMiB);
  }
}

TEST_CASE("on a real clock runtimes, ramps, delays and rates hold, and latencies begin at issue") {
  const Run run(EngineKind::best, "rw=randread\nbs=4k\niodepth=4\ntime_based\nruntime=1\nramp_time=300ms\nstartdelay=200ms");
  if (!run.target.possible()) return;
  CHECK(run.stats.jobs[0].started >= Nanoseconds{500'000'000});
  CHECK(run.stats.jobs[0].started < Nanoseconds{700'000'000});
  CHECK(run.stats.jobs[0].ended - run.stats.jobs[0].started >= Nanoseconds{1'000'000'000});
  for (std::size_t i = 1; i < run.requests.size(); ++i) REQUIRE(run.requests[i].issued >= run.requests[i - 1].issued);
  const Run slow(EngineKind::best, "rw=randread\nbs=4k\niodepth=1\nrate_iops=200\nnumber_ios=100");
  const double seconds = static_cast<double>(slow.stats.ended.count()) / 1e9;
  CHECK(seconds == Approx(0.5).margin(0.1));
  CHECK(slow.of(Direction::read).requests == 100);
}

TEST_CASE("requests outside the permit never reach the kernel") {
  const Run run(EngineKind::best, "rw=read\nbs=4k\nsize=64k\nnumber_ios=1");
  if (!run.target.possible()) return;
  RealDevice device(run.target.permit(), engine_for(run.target, EngineKind::best, 4), {"a file", 1, 77, 4});
  const Request beyond{1, Op::write, kSize, 4096, device.now()}, crooked{2, Op::write, 100, 4096, device.now()};
  const Request both[] = {beyond, crooked};
  device.submit(both);
  std::array<Completion, 4> done;
  REQUIRE(device.wait(kNever, done) == 2);
  CHECK(done[0].status == Status::invalid);
  CHECK(device.problem(1).find("leaves the permitted range") != std::string::npos);
  CHECK(device.problem(2).find("is not a multiple of") != std::string::npos);
  CHECK(device.counters().host_write_bytes == 0);
}

TEST_CASE("a target that shrinks during the measurement gives short transfers, not data") {
  for (const EngineKind kind : kBoth) {
    TestTarget target(kSize);
    if (!target.possible()) return;
    RealDevice device(target.permit(), engine_for(target, kind, 4), {"a file", 1, 77, 4});
    REQUIRE(::truncate(target.path().c_str(), 4096 + 512) == 0);
    const Request reads[] = {{0, Op::read, 0, 4096, device.now()},
                             {1, Op::read, 4096, 4096, device.now()},
                             {2, Op::read, 8192, 4096, device.now()}};
    device.submit(reads);
    std::map<std::uint64_t, Status> statuses;
    std::array<Completion, 4> done;
    while (statuses.size() < 3)
      for (std::size_t i = 0, count = device.wait(kNever, done); i < count; ++i) statuses[done[i].tag] = done[i].status;
    CHECK(statuses[0] == Status::ok);
    CHECK(statuses[1] == Status::short_transfer);
    CHECK(statuses[2] == Status::short_transfer);
    CHECK(device.problem(2).find("only 0 bytes were transferred") != std::string::npos);
  }
}

TEST_CASE("a timed wait ends when the user wants to end, a wait for completions does not") {
  TestTarget target(kSize);
  if (!target.possible()) return;
  const std::atomic<bool> leave{true};
  RealDevice device(target.permit(), engine_for(target, EngineKind::best, 4), {"a file", 1, 77, 4, &leave});
  std::array<Completion, 4> done;
  CHECK(device.wait(device.now() + std::chrono::hours(1), done) == 0);
  const Request read{0, Op::read, 0, 4096, device.now()};
  device.submit({&read, 1});
  CHECK(device.wait(kNever, done) == 1);
}

TEST_CASE("a verifying job finds what it wrote, even if writes follow one another in the same place") {
  for (const std::string lines : {"rw=randwrite\nbs=4k\nsize=2m\niodepth=16\nverify=crc32c",
                                  "rw=randwrite\nbs=4k\nsize=256k\nio_size=1m\nnorandommap\niodepth=16\nverify=crc32c",
                                  "rw=randrw\nbssplit=512/30:4k/40:16k/30\nsize=1m\niodepth=8\nverify=crc32c",
                                  "rw=randtrimwrite\nbs=4k\nsize=1m\niodepth=8\nverify=crc32c"}) {
    CAPTURE(lines);
    const Run run(EngineKind::best, lines, [](TestTarget& target) { target.overwrite(0, std::string(kSize, 'x')); });
    if (!run.target.possible()) return;
    REQUIRE(run.stats.verify);
    CHECK(run.stats.verify->reads > 0);
    CHECK(run.stats.verify->mismatches == 0);
    CHECK((run.stats.verify->lines.empty() ? "" : run.stats.verify->lines[0]) == "");
  }
}

TEST_CASE("data changed between writing and reading back are classified") {
  TestTarget target(kSize);
  if (!target.possible()) return;
  RealDevice device(target.permit(), engine_for(target, EngineKind::best, 64), {"a file", 1, 77, 64});
  const JobFile file = parse(job_text("rw=write\nbs=4k\nsize=1m\nverify=crc32c\nverify_fatal=0"), kSize);
  device.prepare(file.jobs);
  // Corrupts the file at the first read.
  class Spoiler final : public PassingDevice {
   public:
    Spoiler(Device& below, TestTarget& file) : PassingDevice(below), target_(file) {}
    void submit(std::span<const Request> batch) override {
      if (batch[0].op == Op::read && !done_) spoil();
      behind().submit(batch);
    }

   private:
    void spoil() {
      done_ = true;
      target_.overwrite(0, std::string(4096, '\0'));
      target_.overwrite(8192, std::string(4096, 'x'));
      target_.overwrite(16384, target_.bytes(20480, 4096));
      target_.overwrite(32768 + 256, std::string(256, 'y'));
    }
    TestTarget& target_;
    bool done_ = false;
  } spoiler(device, target);
  const RunStats stats = run_jobs(spoiler, file.jobs, {});
  REQUIRE(stats.verify);
  CHECK(stats.verify->mismatches == 4);
  REQUIRE(stats.verify->lines.size() == 4);
  const char* const expected[] = {"zeros", "not written in this run", "misplaced", "torn"};
  for (std::size_t i = 0; i < 4; ++i) CHECK(stats.verify->lines[i].find(expected[i]) != std::string::npos);
}
