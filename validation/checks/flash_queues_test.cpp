// Whole drives whose dies have queues: what the exact backend makes of the operations that they recorded, and that they can
// be saved, and are the same untimed.
#include <algorithm>
#include <cmath>

#include "ftl/drive.h"
#include "ftl/test_drives.h"
#include "models/nand/exact_backend.h"
#include "sim/random.h"
#include "sim/test.h"

using namespace ftlab;

namespace {

DriveConfig queued(DieScheduling scheduling, bool suspend) {
  DriveConfig drive = striped_drive();
  drive.geometry.blocks_per_plane = 32;
  drive.user_bytes = 28ull << 20;
  drive.nand.cache_read = true;
  drive.nand.scheduling = scheduling;
  if (suspend) drive.nand.suspension = {true, true, Nanoseconds{20'000}, Nanoseconds{10'000}, 8};
  return drive;
}

DriveConfig with_everything() {
  DriveConfig drive = queued(DieScheduling::read_first, true);
  drive.nand.independent_plane_reads = true;
  drive.nand.page_order = PageOrder::even_odd;
  drive.nand.read_by_kind = {Nanoseconds{40'000}, Nanoseconds{70'000}};
  drive.nand.variation = {30, 40, 60};
  drive.nand.wear = {2000, 9000, 10};
  return drive;
}

// Keeps `depth` requests of 4 KiB at random places under way.
class Workload {
 public:
  Workload(Drive& drive, std::uint32_t reads_percent) : drive_(drive), random_(5, "flash queues"), reads_(reads_percent) {}

  void fill() {
    for (std::uint64_t at = 0; at < drive_.config().user_bytes; at += 65'536) {
      submit(Op::write, at, 65'536);
      take_one();
    }
  }
  // With a pause after each `depth` requests.
  void run(std::uint32_t requests, std::uint32_t depth, Nanoseconds pause = Nanoseconds{0}) {
    for (std::uint32_t i = 0; i < requests; ++i) {
      const Op op = random_.chance(reads_, 100) ? Op::read : Op::write;
      submit(op, random_.below(drive_.config().user_bytes / 4096) * 4096, 4096);
      if (outstanding_ < depth) continue;
      take_one();
      if (pause == Nanoseconds{0}) continue;
      while (outstanding_ > 0) take_one();
      now_ += pause;
    }
    while (outstanding_ > 0) take_one();
  }
  std::uint64_t seen() const { return seen_.value(); }
  Nanoseconds now() const { return now_; }
  void go_on_at(Nanoseconds now) { now_ = now; }

 private:
  void submit(Op op, std::uint64_t offset, std::uint64_t length) {
    const Request request{tag_++, op, offset, length, now_};
    drive_.submit({&request, 1});
    ++outstanding_;
  }
  void take_one() {
    Completion done[1];
    if (drive_.wait(kNever, done) != 1 || done[0].status != Status::ok) FAIL("a request came to nothing");
    --outstanding_;
    now_ = std::max(now_, done[0].completed);
    seen_.add(done[0].completed.count());
    for (const Nanoseconds part : done[0].parts) seen_.add(part.count());
  }

  Drive& drive_;
  RandomStream random_;
  std::uint32_t reads_;
  Signature seen_;
  Nanoseconds now_{0};
  std::uint64_t tag_ = 0;
  std::uint32_t outstanding_ = 0;
};

std::vector<double> latencies(const std::vector<TimedOperation>& operations, FlashOperation::Kind kind) {
  std::vector<double> all;
  for (const TimedOperation& o : operations) {
    if (o.asked.kind == kind) all.push_back(static_cast<double>((o.done - o.asked.ready).count()));
  }
  std::sort(all.begin(), all.end());
  return all;
}

constexpr Nanoseconds kPause{20'000'000};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double off_percent(double got, double wanted) { return std::abs(got / wanted - 1) * 100; }

// How far the latencies of the drive's own reads are from those that the exact backend gives for the same operations. With
// writes the drive has pauses: the recorded operations come when they come, and of dies without a spare moment the smallest
// difference would add up without end.
struct Bounds {
  double mean, p99;  // percent
};
void check_recorded(const DriveConfig& config, std::uint32_t reads_percent, std::uint32_t depth, Nanoseconds pause,
                    Bounds bounds) {
  Drive drive(config, Clock::timed, 1);
  Workload workload(drive, reads_percent);
  workload.fill();
  workload.run(8'000, depth, pause);
  workload.go_on_at(drive.idle_from());
  std::vector<TimedOperation> recorded;
  drive.record_flash(&recorded);
  workload.run(12'000, depth, pause);
  drive.record_flash(nullptr);
  const ExactBackend backend(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()));
  const std::vector<TimedOperation> exact = ExactBackend::run(backend, recorded);
  const std::vector<double> fast_reads = latencies(recorded, FlashOperation::Kind::read);
  const std::vector<double> exact_reads = latencies(exact, FlashOperation::Kind::read);
  REQUIRE(fast_reads.size() > 1000);
  CHECK(off_percent(mean(fast_reads), mean(exact_reads)) <= bounds.mean);
  const std::size_t at = fast_reads.size() * 99 / 100;
  CHECK(off_percent(fast_reads[at], exact_reads[at]) <= bounds.p99);
}

}  // namespace

// Collection reads hundreds of pages at one moment, whose order on the channel the fast backend must guess: there it is
// further off than the 2 % and 5 % that it keeps to otherwise.
TEST_CASE("the exact backend confirms the reads that a drive recorded, within 2 to 12 % by workload") {
  const DriveConfig fifo = queued(DieScheduling::fifo, false);
  SECTION("random reads one by one") { check_recorded(fifo, 100, 1, Nanoseconds{0}, {0, 0}); }
  SECTION("random reads") { check_recorded(fifo, 100, 32, Nanoseconds{0}, {2, 7}); }
  SECTION("random writes, the reads of collection") { check_recorded(fifo, 0, 32, kPause, {12, 7}); }
  SECTION("70 % reads") { check_recorded(fifo, 70, 32, kPause, {8.5, 6.5}); }
  SECTION("70 % reads, first") { check_recorded(queued(DieScheduling::read_first, false), 70, 32, kPause, {4, 6.5}); }
  SECTION("70 % reads that stop programs") {
    check_recorded(queued(DieScheduling::read_first, true), 70, 32, kPause, {4, 6.5});
  }
}

TEST_CASE("a drive with queues goes on after saving as if it had not been saved") {
  Drive drive(with_everything(), Clock::timed, 1);
  Workload workload(drive, 60);
  workload.fill();
  workload.run(4'000, 16);
  CHECK(drive.counters().suspensions > 0);
  Drive other(with_everything(), Clock::timed, 1);
  other.load(drive.save());
  CHECK(other.counters().suspensions == drive.counters().suspensions);
  Workload one(drive, 60), two(other, 60);
  one.go_on_at(workload.now());
  two.go_on_at(workload.now());
  one.run(3'000, 16);
  two.run(3'000, 16);
  CHECK(one.seen() == two.seen());
}

TEST_CASE("queues, variation and wear change times and nothing else") {
  Signature states[2];
  for (int timed = 0; timed < 2; ++timed) {
    Drive drive(with_everything(), timed != 0 ? Clock::timed : Clock::untimed, 1);
    Workload workload(drive, 50);
    workload.fill();
    workload.run(5'000, 1);
    drive.add_to(states[timed]);
  }
  CHECK(states[0].value() == states[1].value());
}

TEST_CASE("worn drives write faster and erase slower; which of the two shows depends on the room for collection") {
  const auto busy_of = [](WearTimes wear) {
    DriveConfig config = queued(DieScheduling::fifo, false);
    config.nand.wear = wear;
    Drive drive(config, Clock::timed, 1);
    Workload workload(drive, 0);
    workload.fill();
    workload.run(20'000, 32);
    return workload.now();
  };
  const Nanoseconds fresh = busy_of({});
  CHECK(busy_of({20'000, 0, 10}) < fresh);
  CHECK(busy_of({0, 900'000, 10}) > fresh);
}
