// Drives from the first write to the last: what wore out agrees with the endurance model, and nothing acknowledged is lost.
#include <algorithm>
#include <string>

#include "ftl/drive.h"
#include "ftl/test_drives.h"
#include "sim/archive.h"
#include "sim/random.h"
#include "sim/test.h"

using namespace ftlab;

namespace {

// 8 dies of 2 planes, superblocks of 16 blocks and 256 pages; 24 of 32 superblocks of data.
DriveConfig mortal_drive(EnduranceConfig endurance) {
  DriveConfig drive = striped_drive();
  drive.geometry.blocks_per_plane = 32;
  drive.user_bytes = 24ull * 256 * 4096;
  drive.endurance = endurance;
  drive.ftl.failure_reserve = 1;
  drive.ftl.gc = {0, 2, 4, 8};
  return drive;
}

// Writes a drive until it refuses, and knows what it acknowledged. A write that fails may leave its page old or new.
class Life {
 public:
  explicit Life(const DriveConfig& config, Clock clock = Clock::untimed)
      : drive_(config, clock), random_(7, "life"), expected_(config.logical_pages()), durable_(config.logical_pages()) {}

  // True: acknowledged.
  bool write(std::uint32_t lpn) {
    const Completion done = one(Op::write, lpn);
    if (done.status == Status::ok) {
      ++writes_;
      expected_[lpn] = drive_.ftl().version(Lpn{lpn});
      return true;
    }
    REQUIRE(done.status == Status::read_only);
    return false;
  }

  // Uniform, or with `hot_percent` of the writes in the first eighth. False: the drive refused one.
  bool live(std::uint64_t writes, unsigned hot_percent = 0) {
    const auto pages = static_cast<std::uint32_t>(expected_.size());
    for (std::uint64_t i = 0; i < writes; ++i) {
      const bool hot = random_.below(100) < hot_percent;
      if (!write(static_cast<std::uint32_t>(random_.below(hot ? pages / 8 : pages)))) return false;
    }
    return true;
  }
  bool fill() {
    for (std::uint32_t l = 0; l < expected_.size(); ++l) {
      if (!write(l)) return false;
    }
    return true;
  }
  bool flush() {
    if (one(Op::flush, 0).status != Status::ok) return false;
    durable_ = expected_;
    return true;
  }

  void require_sound() const {
    for (const std::string& sentence : inspect(drive_.ftl())) FAIL(sentence);
    for (std::uint32_t l = 0; l < expected_.size(); ++l) REQUIRE(drive_.ftl().version(Lpn{l}) >= expected_[l]);
  }
  // All that a flush covered is there, nothing is newer than what was written.
  void cut_power() {
    drive_.power_cycle();
    for (const std::string& sentence : inspect(drive_.ftl())) FAIL(sentence);
    for (std::uint32_t l = 0; l < durable_.size(); ++l) {
      const Version now = drive_.ftl().version(Lpn{l});
      REQUIRE(now >= durable_[l]);
      expected_[l] = durable_[l] = now;
    }
  }
  // Reads all of it, as a host does.
  void read_everything() {
    std::vector<Drive::SeenRead> seen;
    drive_.record_reads(&seen);
    for (std::uint32_t l = 0; l < expected_.size(); ++l) {
      REQUIRE(one(Op::read, l).status == Status::ok);
      REQUIRE(seen.back().version >= expected_[l]);
    }
    drive_.record_reads(nullptr);
  }

  Completion one(Op op, std::uint32_t lpn) {
    const std::uint64_t page = drive_.config().ftl.mapping_bytes;
    Request request{0, op, lpn * page, page, now_};
    if (op == Op::flush) request.offset_bytes = request.length_bytes = 0;
    Completion done;
    drive_.submit({&request, 1});
    REQUIRE(drive_.wait(kNever, {&done, 1}) == 1);
    now_ = done.completed;
    return done;
  }

  Drive& drive() { return drive_; }
  const FlashHealth& health() const { return *drive_.health(); }
  std::uint64_t writes() const { return writes_; }

 private:
  Drive drive_;
  RandomStream random_;
  std::vector<Version> expected_, durable_;
  std::uint64_t writes_ = 0;
  Nanoseconds now_{0};
};

void die(Life& life, unsigned hot_percent = 0) {
  if (!life.fill()) return;
  for (int flushes = 0; life.live(20'000, hot_percent); ++flushes) {
    REQUIRE(flushes < 2'000);
    life.flush();
  }
}

void require_dead_and_readable(Life& life) {
  CHECK(life.drive().ftl().read_only());
  life.require_sound();
  life.read_everything();
  CHECK(life.one(Op::trim, 3).status == Status::read_only);
  CHECK(life.one(Op::write, 3).status == Status::read_only);
  life.require_sound();
  REQUIRE(life.flush());
  life.cut_power();
  life.read_everything();
}

std::uint64_t life_left(const FlashHealth& health, std::uint64_t& limits) {
  std::uint64_t left = 0;
  limits = 0;
  for (std::uint32_t b = 0; b < health.defects().block_count(); ++b) {
    limits += health.endurance().limit(b);
    left += health.endurance().limit(b) - health.erases(b);
  }
  return left;
}

}  // namespace

TEST_CASE("a drive whose blocks all have one limit dies when every superblock has reached it") {
  Life life(mortal_drive({200, 0, 0, 0, 0}));
  die(life);
  require_dead_and_readable(life);
  std::uint64_t limits;
  const std::uint64_t left = life_left(life.health(), limits);
  WARN("left " << left << " of " << limits << " retired " << life.drive().ftl().store().blocks().retired_count() << " writes " << life.writes());
  CHECK(left < limits / 10);
}

TEST_CASE("with a spread of limits it dies later than its weakest block and earlier than the mean") {
  Life life(mortal_drive({200, 150, 20'000, 0, 0}));
  die(life);
  std::uint64_t limits;
  const std::uint64_t left = life_left(life.health(), limits);
  WARN("left " << left << " of " << limits << " retired " << life.drive().ftl().store().blocks().retired_count() << " writes " << life.writes() << " bad " << life.health().defects().grown_bad() << " spares " << life.health().defects().spares());
  require_dead_and_readable(life);
}

TEST_CASE("failed programs and erases lose nothing, whatever their rate") {
  for (const std::uint32_t rate : {10'000u, 1'000'000u, 10'000'000u, 100'000'000u}) {
    for (const bool separate : {true, false}) {
      for (const std::uint32_t pace : {0u, 8u}) {
        DriveConfig config = mortal_drive({0, 0, 5'000, rate, rate});
        config.ftl.separate_relocation = separate;
        config.ftl.gc = {0, 2, 4, pace};
        CAPTURE(rate, separate, pace);
        Life life(config);
        const bool filled = life.fill();
        int rounds = 0;
        while (filled && rounds < 40 && life.live(2'000, 50)) {
          ++rounds;
          REQUIRE(life.flush());
          life.require_sound();
          if (rounds % 3 == 0) life.cut_power();
        }
        WARN(rate << " rounds " << rounds << " retired " << life.drive().ftl().store().blocks().retired_count() << " pf " << life.health().program_failures() << " ef " << life.health().erase_failures());
        if (life.drive().ftl().read_only()) require_dead_and_readable(life);
      }
    }
  }
}
