// Drives with die queues can be saved with operations in flight, and are the same untimed.
#include <algorithm>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/counters.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

DriveConfig queued(const char* scheduling, bool suspend) {
  DriveConfig drive = striped_drive();
  drive.geometry.blocks_per_plane = 32;
  drive.user_bytes = 28ull << 20;
  drive.nand.cache_read = true;
  drive.nand.scheduling.policy = scheduling_policy_index(scheduling);
  if (suspend) drive.nand.suspension = {true, true, Nanoseconds{20'000}, Nanoseconds{10'000}, 8};
  return drive;
}

DriveConfig with_everything() {
  DriveConfig drive = queued("read-first", true);
  drive.nand.independent_plane_reads = true;
  drive.nand.page_order = PageOrder::even_odd;
  drive.nand.read_by_kind = {Nanoseconds{40'000}, Nanoseconds{70'000}};
  drive.nand.variation = {30, 40, 60};
  drive.nand.wear = {2000, 9000, 10};
  return drive;
}

// Sets all parameters of the policy: a share of 40 %, times of 2 ms.
auto scheduling_of(const SchedulingPolicyKind& kind) {
  NandTiming timing;
  timing.scheduling.policy = scheduling_policy_index(kind.name);
  for (const SchedulingParameter& parameter : kind.parameters)
    timing.scheduling.values.push_back(std::string(parameter.key) == "scheduling_share_permille" ? 400 : 2'000'000);
  return timing.scheduling;
}

// Keeps `depth` random 4 KiB requests in flight.
class Workload {
 public:
  Workload(Drive& drive, std::uint32_t reads_percent) : drive_(drive), random_(5, "flash queues"), reads_(reads_percent) {}

  void fill() {
    for (std::uint64_t at = 0; at < drive_.config().user_bytes; at += 65'536) {
      submit(Op::write, at, 65'536);
      take_one();
    }
  }
  // Pauses after each `depth` requests.
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

}  // namespace

TEST_CASE("a drive with queues continues after saving as if it had not been saved, for every scheduling policy") {
  for (const SchedulingPolicyKind& kind : scheduling_policy_kinds()) {
    INFO(kind.name);
    DriveConfig config = with_everything();
    config.nand.scheduling = scheduling_of(kind);
    if (kind.name != "read-first") config.nand.suspension = {};
    Drive drive(config, Clock::timed, 1);
    Workload workload(drive, 60);
    workload.fill();
    workload.run(4'000, 16);
    CHECK((drive.counters().suspensions > 0) == (kind.name == "read-first"));
    Drive other(config, Clock::timed, 1);
    other.load(drive.save());
    CHECK(other.counters().suspensions == drive.counters().suspensions);
    Workload one(drive, 60), two(other, 60);
    one.go_on_at(workload.now());
    two.go_on_at(workload.now());
    one.run(3'000, 16);
    two.run(3'000, 16);
    CHECK(one.seen() == two.seen());
  }
}

TEST_CASE("die time is the sum of the operation times, for every scheduling policy") {
  for (const SchedulingPolicyKind& kind : scheduling_policy_kinds()) {
    INFO(kind.name);
    DriveConfig config = queued(kind.name.c_str(), kind.name == "read-first");
    config.nand.program = {Nanoseconds{600'000}, Nanoseconds{600'000}};
    config.nand.scheduling = scheduling_of(kind);
    Drive drive(config, Clock::timed, 1);
    Workload workload(drive, 50);
    workload.fill();
    workload.run(6'000, 16);
    drive.idle_from();
    const Counters all = drive.counters();
    CHECK(all.relocated_pages > 0);
    CHECK(all.die_host_read_ns + all.die_internal_read_ns == (all.array_reads - all.buffered_reads) * 50'000);
    CHECK(all.die_host_program_ns + all.die_relocation_program_ns == all.array_programs * 600'000);
    CHECK(all.die_erase_ns == all.array_erases * 2'000'000);
    // A suspension during a resume ends the resume early, so its time may be shorter.
    CHECK((all.die_suspension_ns <= all.suspensions * 30'000 && all.die_suspension_ns >= all.suspensions * 20'000));
    CHECK((all.suspensions > 0) == (kind.name == "read-first"));
    CHECK((all.die_host_read_ns > 0 && all.die_internal_read_ns > 0 && all.die_relocation_program_ns > 0));
    Nanoseconds busy{0};
    for (std::uint32_t die = 0; die < config.geometry.dies(); ++die) busy += drive.flash().engine->busy()[die];
    CHECK(busy == drive.flash().engine->use().die_time.total());
  }
}

TEST_CASE("host reads and writes are counted separately from internal ones in die time") {
  Drive drive(queued("fifo", false), Clock::timed, 1);
  Workload workload(drive, 100);
  workload.fill();
  drive.idle_from();
  const Counters filled = drive.counters();
  CHECK(filled.die_host_program_ns > 0);
  CHECK((filled.die_host_read_ns == 0 && filled.die_internal_read_ns == 0));
  CHECK((filled.die_relocation_program_ns == 0 && filled.die_erase_ns == 0));
  workload.run(2'000, 8);
  drive.idle_from();
  const Counters read = difference(drive.counters(), filled);
  CHECK(read.array_reads > 1'900);  // except for data in RAM
  CHECK(read.die_host_read_ns == read.array_reads * 50'000);
  CHECK((read.die_internal_read_ns == 0 && read.die_host_program_ns == 0 && read.die_relocation_program_ns == 0));
  Workload writes(drive, 0);
  writes.go_on_at(drive.idle_from());
  writes.run(6'000, 8);
  drive.idle_from();
  const Counters written = difference(drive.counters(), filled);
  CHECK(written.die_host_read_ns == read.die_host_read_ns);
  CHECK(written.die_internal_read_ns == (written.array_reads - read.array_reads) * 50'000);
  CHECK((written.die_internal_read_ns > 0 && written.die_relocation_program_ns > 0 && written.die_erase_ns > 0));
}

TEST_CASE("queues, variation and wear change only times") {
  Signature states[2];
  for (int timed = 0; timed < 2; ++timed) {
    Drive drive(with_everything(), timed != 0 ? Clock::timed : Clock::untimed, 1);
    Workload workload(drive, 50);
    workload.fill();
    workload.run(5'000, 1);
    sign(drive, states[timed]);
  }
  CHECK(states[0].value() == states[1].value());
}

TEST_CASE("worn drives write faster and erase slower, and spare space decides which dominates") {
  const auto busy_of = [](WearTimes wear) {
    DriveConfig config = queued("fifo", false);
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
