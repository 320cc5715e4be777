// Drives from the first write to the end of life: wear agrees with the endurance model, and no acknowledged write is lost.
#include <algorithm>
#include <string>
#include <utility>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/archive.h"
#include "sim/core/random.h"
#include "sim/testing/archive_trials.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// 8 dies of 2 planes, superblocks of 16 blocks and 256 pages; 24 of 32 superblocks hold user data.
DriveConfig mortal_drive(EnduranceConfig endurance) {
  DriveConfig drive = striped_drive();
  drive.geometry.blocks_per_plane = 32;
  drive.user_bytes = 24ull * 256 * 4096;
  drive.endurance = endurance;
  drive.ftl.failure_reserve = 1;
  drive.ftl.gc = {0, 2, 4, 8};
  return drive;
}

// Writes to a drive until it refuses, and records acknowledged writes. A failed write may leave its page old or new.
class Life {
 public:
  explicit Life(const DriveConfig& config, Clock clock = Clock::untimed)
      : drive_(config, clock), random_(7, "life"), expected_(config.logical_pages()), durable_(config.logical_pages()) {}

  // True if acknowledged.
  bool write(std::uint32_t lpn) {
    const Completion done = one(Op::write, lpn);
    if (done.status == Status::ok) {
      ++writes_;
      expected_[lpn] = drive_.ftl().pages().version(Lpn{lpn});
      return true;
    }
    REQUIRE(done.status == Status::read_only);
    return false;
  }

  // Uniform writes, or `hot_percent` of them in the first eighth. False if the drive refused one.
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
    for (std::uint32_t l = 0; l < expected_.size(); ++l) REQUIRE(drive_.ftl().pages().version(Lpn{l}) >= expected_[l]);
  }
  // Everything that a flush covered must survive; later writes may be lost.
  void cut_power() {
    Lifecycle(drive_).power_cycle();
    for (const std::string& sentence : inspect(drive_.ftl())) FAIL(sentence);
    for (std::uint32_t l = 0; l < durable_.size(); ++l) {
      const Version now = drive_.ftl().pages().version(Lpn{l});
      REQUIRE(now >= durable_[l]);
      expected_[l] = durable_[l] = now;
    }
  }
  // Reads all pages through the host interface.
  void read_everything() {
    ContentLog seen;
    drive_.report_contents(&seen);
    for (std::uint32_t l = 0; l < expected_.size(); ++l) {
      REQUIRE(one(Op::read, l).status == Status::ok);
      REQUIRE(seen.returned.back().version >= number(expected_[l]));
    }
    drive_.report_contents(nullptr);
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
  const BadBlockTable& health() const { return *drive_.flash().health; }
  std::uint64_t writes() const { return writes_; }
  Nanoseconds now() const { return now_; }

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

// Prediction of the endurance model for a drive with evenly worn superblocks: a superblock takes one block of every lane, so
// the drive works until some lane has fewer blocks that survive another erase than superblocks are needed. One lane group.
struct Predicted {
  std::uint32_t cycles;      // erases of each block at the end, unless its limit is lower
  std::uint64_t erases = 0;  // sum over all blocks
};

Predicted predict(const BadBlockTable& health, std::uint64_t needed) {
  const std::uint32_t lanes = health.defects().lanes_per_superblock();
  const auto good = [&](std::uint32_t block) { return health.defects().use(block) != BlockUse::factory_bad; };
  Predicted predicted{Endurance::kUnlimited};
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    std::vector<std::uint32_t> limits;
    for (std::uint32_t b = lane; b < health.defects().block_count(); b += lanes) {
      if (good(b)) limits.push_back(health.endurance().limit(b));
    }
    std::sort(limits.rbegin(), limits.rend());
    predicted.cycles = std::min(predicted.cycles, limits.at(needed - 1));
  }
  for (std::uint32_t b = 0; b < health.defects().block_count(); ++b) {
    if (good(b)) predicted.erases += std::min(health.endurance().limit(b), predicted.cycles);
  }
  return predicted;
}

// Largest difference in erases between superblocks in use.
std::uint32_t spread(const Drive& drive) {
  std::uint32_t least = ~std::uint32_t{0}, most = 0;
  for (std::uint32_t b = 0; b < drive.medium().layout().superblocks(); ++b) {
    if (drive.ftl().store().blocks().state(SuperblockId{b}) == BlockState::retired) continue;
    least = std::min(least, drive.medium().superblocks().erases(SuperblockId{b}));
    most = std::max(most, drive.medium().superblocks().erases(SuperblockId{b}));
  }
  return most - least;
}

// Erases that idle spares lack: those of a retired superblock since its end, factory spares from the beginning.
std::uint64_t most_unused(const Drive& drive, std::uint32_t cycles) {
  std::uint64_t unused = 0;
  for (std::uint32_t b = 0; b < drive.medium().layout().superblocks(); ++b) {
    if (drive.ftl().store().blocks().state(SuperblockId{b}) != BlockState::retired) continue;
    unused += std::uint64_t{cycles - std::min(cycles, drive.medium().superblocks().erases(SuperblockId{b}))} *
              drive.medium().layout().blocks_per_superblock();
  }
  return unused;
}

std::uint64_t needed_of(const Drive& drive) {
  return superblocks_needed(drive.config().ftl, drive.medium().layout(), drive.config().logical_pages());
}

DriveConfig with_levelling(DriveConfig drive, bool least_worn_first, std::uint32_t static_spread) {
  drive.ftl.wear = {least_worn_first, static_spread, 1};
  return drive;
}

}  // namespace

TEST_CASE("a drive ends when it has too few superblocks, after the number of erases that the endurance model predicts") {
  for (const EnduranceConfig& endurance :
       {EnduranceConfig{100, 0, 0, 0, 0}, EnduranceConfig{100, 60, 0, 0, 0}, EnduranceConfig{100, 150, 5'000, 0, 0},
        EnduranceConfig{200, 300, 10'000, 0, 0}}) {
    for (const std::uint64_t specimen : {1, 2}) {
      DriveConfig config = with_levelling(mortal_drive(endurance), true, 4);
      config.endurance.specimen = specimen;
      CAPTURE(endurance.program_erase_limit, endurance.limit_spread_permille, specimen);
      Life life(config);
      die(life);
      const BadBlockTable& health = life.health();
      const Predicted predicted = predict(health, needed_of(life.drive()));
      // Superblocks differ by at most `spread`, so each block that was never a spare is within `spread` of the prediction.
      const std::uint64_t bound = std::uint64_t{spread(life.drive())} * health.defects().block_count();
      CHECK(health.block_erases() + bound + most_unused(life.drive(), predicted.cycles) >= predicted.erases);
      CHECK(spread(life.drive()) <= 6);
      CHECK(health.block_erases() <= predicted.erases + bound);
      if (endurance.limit_spread_permille > 0) {  // without a spread too many fail at once for GC to continue
        CHECK(life.drive().counters().superblocks_retired ==
              life.drive().medium().layout().superblocks() + 1 - needed_of(life.drive()));
      }
      for (std::uint32_t b = 0; b < health.defects().block_count(); ++b) {
        if (health.defects().use(b) == BlockUse::grown_bad) REQUIRE(health.erases(b) == health.endurance().limit(b));
      }
      require_dead_and_readable(life);
    }
  }
}

TEST_CASE("a program or erase failure at any moment is repaired and loses nothing") {
  for (const Clock clock : {Clock::untimed, Clock::timed}) {
    for (std::uint32_t n = 150; n < 1'500; n += clock == Clock::timed ? 133 : 31) {
      EnduranceConfig endurance;
      (n % 2 == 0 ? endurance.failing_program : endurance.failing_erase) = n % 2 == 0 ? n : n / 40;
      DriveConfig config = mortal_drive(endurance);
      config.ftl.separate_relocation = n % 4 < 2;
      config.ftl.gc = {0, 2, 3, n % 3 * 4};
      CAPTURE(n);
      Life life(config, clock);
      bool alive = life.fill();
      for (int round = 0; alive && round < 3; ++round) {
        alive = life.live(700, 50);
        life.require_sound();
        REQUIRE(life.flush());
        life.cut_power();
      }
      CHECK(life.health().program_failures() + life.health().erase_failures() > 0);
      life.read_everything();
    }
  }
}

TEST_CASE("drives that may fail behave like others until the first failure, except for the reserved superblock") {
  DriveConfig plain = striped_drive();
  plain.ftl.gc = {0, 4, 8, 8};
  DriveConfig mortal = plain;
  mortal.endurance.program_erase_limit = 100'000'000;
  mortal.ftl.failure_reserve = 1;
  // The plain drive relocates runs of stripes, the mortal one single stripes: the times must be equal.
  for (const Clock clock : {Clock::untimed, Clock::timed}) {
    Life a(plain, clock), b(mortal, clock);
    for (Life* life : {&a, &b}) REQUIRE((life->fill() && life->live(40'000)));
    Signature of_a, of_b;
    sign(a.drive(), of_a);
    sign(b.drive(), of_b);
    CHECK(of_a.value() == of_b.value());
    CHECK(a.now() == b.now());
    CHECK(a.drive().idle_from() == b.drive().idle_from());
  }
}

TEST_CASE("a drive ends when it has one superblock less than it needs") {
  EnduranceConfig endurance;
  endurance.erase_failures_per_billion = 5'000'000;
  const DriveConfig config = mortal_drive(endurance);
  Life life(config);
  die(life);
  const PageStore& store = life.drive().ftl().store();
  CHECK(store.supply().worn_out());
  CHECK(store.blocks().free().quota(0) + 1 ==
        superblocks_needed(config.ftl, store.medium().layout(), config.logical_pages()));
}

TEST_CASE("a drive that bypasses its full pSLC cache outlives it, one that always writes into it does not") {
  for (const bool direct : {false, true}) {
    EnduranceConfig endurance;
    endurance.erase_failures_per_billion = 10'000'000;
    DriveConfig config = mortal_drive(endurance);
    config.geometry.blocks_per_plane = 40;
    config.ftl.slc.superblocks = 2;
    config.ftl.slc.direct_when_full = direct;
    config.nand.program_slc = Nanoseconds{200'000};
    Life life(config);
    die(life);
    const PageStore& store = life.drive().ftl().store();
    CHECK(store.supply().worn_out());
    CHECK(store.blocks().free().quota(1) == 0);
    const std::uint64_t needed = superblocks_needed_of(config.ftl, store.medium().layout(), 0, config.logical_pages());
    CHECK((store.blocks().free().quota(0) < needed) == direct);
  }
}

TEST_CASE("a refused trim that is not queued does not block later requests") {
  EnduranceConfig endurance;
  endurance.erase_failures_per_billion = 5'000'000;
  DriveConfig config = mortal_drive(endurance);
  config.ftl.trim.queued = false;
  Life life(config, Clock::timed);
  die(life);
  require_dead_and_readable(life);
}

TEST_CASE("a worn-out drive is still worn out after loading") {
  EnduranceConfig endurance;
  endurance.erase_failures_per_billion = 5'000'000;
  const DriveConfig config = mortal_drive(endurance);
  Life life(config);
  die(life);
  REQUIRE(life.drive().ftl().store().supply().worn_out());
  Drive loaded(config, Clock::untimed);
  loaded.load(life.drive().save());
  CHECK(loaded.ftl().store().supply().worn_out());
  CHECK(loaded.ftl().read_only());
  CHECK(loaded.ftl().store().blocks().free().retired() == life.drive().ftl().store().blocks().free().retired());
}

TEST_CASE("a pre-worn drive lives for its remaining cycles and not one write longer") {
  const auto died = [](std::uint32_t limit, std::uint32_t worn) {
    EnduranceConfig endurance;
    endurance.program_erase_limit = limit;
    endurance.worn_cycles = worn;
    Life life(mortal_drive(endurance));
    die(life);
    life.require_sound();
    return std::pair(life.writes(), life.drive().counters().block_erases);
  };
  CHECK(died(100, 70) == died(30, 0));
  CHECK(died(100, 69) == died(31, 0));
}

// 8 stripes, one on each die, whose programs of 300 us are 4 % faster after 400 cycles.
TEST_CASE("pre-wear affects bit errors and program times") {
  const auto flushed = [](std::uint32_t worn, double& fresh_errors) {
    DriveConfig config = mortal_drive({});
    config.endurance.program_erase_limit = 1000;
    config.endurance.worn_cycles = worn;
    config.nand.wear = {100, 1000, 1000};
    config.cells.kinds_permille = {1000, 1000};
    config.cells.correctable_bits = 24;
    config.cells.fresh_per_pbit = 1'000'000'000;
    config.cells.fresh_exponent = 1000;
    config.cells.wear_cycles = 401;
    Life life(config, Clock::timed);
    for (std::uint32_t l = 0; l < 16; ++l) REQUIRE(life.write(l));
    const Nanoseconds done = life.one(Op::flush, 0).completed;
    fresh_errors = life.drive().flash().errors->rate(SuperblockId{0}, 0, Die{0}).fresh;
    return done;
  };
  double of_new, of_worn;
  CHECK(flushed(0, of_new) - flushed(400, of_worn) == Nanoseconds{12'000});
  CHECK(of_new == Approx(1e-6 * (1 + 1.0 / 401)));
  CHECK(of_worn == Approx(2e-6));
}

TEST_CASE("wear levelling narrows the erase spread of a hot and cold workload, and the drive lives longer") {
  const auto lived = [](bool least_worn_first, std::uint32_t static_spread, std::uint32_t& spread_of) {
    DriveConfig config = with_levelling(mortal_drive({150, 0, 0, 0, 0}), least_worn_first, static_spread);
    config.ftl.gc = {0, 4, 6, 8};
    config.user_bytes = 20ull * 256 * 4096;
    Life life(config);
    die(life, 95);
    spread_of = spread(life.drive());
    return life.writes();
  };
  std::uint32_t none, dynamic, both;
  const std::uint64_t writes_none = lived(false, 0, none);
  const std::uint64_t writes_dynamic = lived(true, 0, dynamic);
  const std::uint64_t writes_both = lived(true, 6, both);
  CHECK(both < none / 4);
  CHECK(both < dynamic / 4);
  CHECK(writes_both > writes_none + writes_none / 4);
  CHECK(writes_dynamic > writes_none / 2);
}

TEST_CASE("a mortal drive fails at the same write after being saved and loaded") {
  Life whole(mortal_drive({60, 100, 20'000, 1'000, 1'000}));
  REQUIRE((whole.fill() && whole.live(20'000)));
  Drive loaded(whole.drive().config(), Clock::untimed);
  loaded.load(whole.drive().save());
  RandomStream random(9, "requests");
  Completion done;
  for (bool alive = true; alive;) {
    const Request request{0, Op::write, random.below(whole.drive().config().logical_pages()) * 4096, 4096, Nanoseconds{0}};
    for (Drive* drive : {&whole.drive(), &loaded}) {
      drive->submit({&request, 1});
      drive->wait(kNever, {&done, 1});
      alive = done.status == Status::ok;
    }
  }
  CHECK(whole.drive().ftl().read_only());
  CHECK(whole.drive().save() == loaded.save());
}

TEST_CASE("renumbered versions keep the order of writes, in RAM and through a power cut") {
  for (const auto scheme : {PlacementConfig::Scheme::none, PlacementConfig::Scheme::frequency}) {
    DriveConfig plain = striped_drive();
    plain.ftl.placement.scheme = scheme;
    plain.ftl.placement.hot_writes = 2;
    plain.ftl.placement.halve_after_pages = 5'000;
    plain.ftl.gc = {0, 4, 8, 8};
    plain.user_bytes = 48ull << 20;
    DriveConfig renumbered = plain;
    renumbered.ftl.most_versions = 40'000;  // 16,384 physical pages
    Life a(plain), b(renumbered);
    for (int part = 0; part < 3; ++part) {
      for (Life* life : {&a, &b}) {
        REQUIRE(life->live(50'000, 60));
        // A power cut resets the counters of `frequency`, which are then halved at other times.
        if (part == 1 && scheme == PlacementConfig::Scheme::none) Lifecycle(life->drive()).power_cycle();
      }
      for (const std::string& sentence : inspect(b.drive().ftl())) FAIL(sentence);
      std::vector<std::pair<Version, Version>> versions;
      for (std::uint32_t l = 0; l < plain.logical_pages(); ++l) {
        REQUIRE(a.drive().ftl().pages().find(Lpn{l}).ppn == b.drive().ftl().pages().find(Lpn{l}).ppn);
        versions.push_back({a.drive().ftl().pages().version(Lpn{l}), b.drive().ftl().pages().version(Lpn{l})});
      }
      testing::require_same_order(versions);
      REQUIRE(number(versions.back().second) <= 40'000);
    }
    CHECK(a.drive().counters().media_write_bytes() == b.drive().counters().media_write_bytes());
  }
}

TEST_CASE("a refused write brings back no trimmed data") {
  constexpr std::uint64_t kForEver = std::uint64_t{1} << 60;
  int refused = 0;
  for (std::uint64_t first = 6'200; first < 9'000; first += 100) {
    CAPTURE(first);
    EnduranceConfig endurance;
    endurance.planned_programs = {first, kForEver};
    DriveConfig config = mortal_drive(endurance);
    config.ftl.trim.mode = TrimConfig::Mode::deferred;
    Life life(config);
    REQUIRE(life.fill());
    RandomStream random(first, "trim and write");
    for (;;) {
      const auto page = static_cast<std::uint32_t>(random.below(config.logical_pages()));
      if (life.one(Op::trim, page).status != Status::ok) break;
      if (life.write(page)) continue;
      ++refused;
      CHECK(life.drive().ftl().pages().version(Lpn{page}) == Version{0});
      break;
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("a forced write that ends a drive is acknowledged only if its data reached the flash") {
  int acknowledged = 0, refused = 0;
  for (std::uint64_t first = 6'000; first < 9'000; first += 60) {
    CAPTURE(first);
    EnduranceConfig endurance;
    endurance.planned_programs = {first, first + 100};
    const DriveConfig config = mortal_drive(endurance);
    Drive drive(config, Clock::untimed);
    RandomStream random(first, "forced writes");
    for (int writes = 0; writes < 8'000 && !drive.ftl().read_only(); ++writes) {
      const std::uint64_t page = random.below(config.logical_pages());
      Request request{0, Op::write, page * 4096, 4096, Nanoseconds{0}};
      request.fua = true;
      const Status status = testing::execute(drive, request).status;
      REQUIRE((status == Status::ok || drive.ftl().read_only()));
      if (!drive.ftl().read_only()) continue;
      const Lpn lpn{static_cast<std::uint32_t>(page)};
      const Version written = drive.ftl().pages().version(lpn);
      ++(status == Status::ok ? acknowledged : refused);
      Lifecycle(drive).power_cycle();
      if (status == Status::ok) CHECK(drive.ftl().pages().version(lpn) == written);
    }
  }
  CHECK(acknowledged > 0);
  CHECK(refused > 0);
}

TEST_CASE("pages that were trimmed while in RAM are not written at the end of life") {
  int ended = 0;
  for (std::uint64_t first = 6'000; first < 9'000; first += 100) {
    CAPTURE(first);
    EnduranceConfig endurance;
    endurance.planned_programs = {first, first + 200};  // the last flush may find room
    DriveConfig config = mortal_drive(endurance);
    config.ftl.trim.mode = TrimConfig::Mode::deferred;
    config.ftl.buffer.coalesce = true;
    config.ftl.buffer.coalescing_pages = 16;
    Life life(config);
    RandomStream random(first, "short lives of pages");
    const auto half = static_cast<std::uint32_t>(config.logical_pages() / 2);
    std::vector<bool> gone(config.logical_pages());
    const auto write = [&](std::uint32_t page) {
      if (!life.write(page)) return false;
      gone[page] = false;
      return true;
    };
    // Trims pages only in the upper half, which is never filled.
    const auto write_and_trim = [&] {
      std::uint32_t pages[4];
      for (std::uint32_t& page : pages) {
        page = half + static_cast<std::uint32_t>(random.below(half));
        if (!write(static_cast<std::uint32_t>(random.below(half))) || !write(page)) return false;
      }
      for (const std::uint32_t page : pages) {
        if (life.one(Op::trim, page).status != Status::ok) return false;
        gone[page] = true;
      }
      return true;
    };
    for (std::uint32_t lpn = 0; lpn < half; ++lpn) REQUIRE(write(lpn));
    for (int round = 0; round < 2000 && write_and_trim(); ++round) {
    }
    if (!life.drive().ftl().read_only()) continue;
    ++ended;
    life.one(Op::flush, 0);
    for (const bool cut : {false, true}) {
      if (cut) Lifecycle(life.drive()).power_cycle();
      CHECK(inspect(life.drive().ftl()).empty());
      for (std::uint32_t lpn = 0; lpn < gone.size(); ++lpn) {
        if (gone[lpn]) REQUIRE(life.drive().ftl().pages().version(Lpn{lpn}) == Version{0});
      }
    }
  }
  CHECK(ended > 0);
}

TEST_CASE("a saved drive with the flash health of another drive is refused") {
  EnduranceConfig endurance;
  endurance.erase_failures_per_billion = 500'000;
  const DriveConfig config = mortal_drive(endurance);
  Life young(config), old(config);
  REQUIRE(young.live(20'000));
  REQUIRE(old.live(40'000));
  REQUIRE(old.health().erase_failures() > young.health().erase_failures());
  const auto health_of = [](const std::string& state) {
    const std::size_t begin = state.find("flash health"), end = state.find("flash work", begin);
    REQUIRE(end != std::string::npos);
    return std::pair(begin, end - begin);
  };
  std::string state = young.drive().save();
  const std::string other = old.drive().save();
  const auto [to, length] = health_of(state);
  const auto [from, other_length] = health_of(other);
  state.replace(to, length, other, from, other_length);
  testing::seal(state.data(), state.size());
  Drive drive(config, Clock::untimed);
  CHECK_THROWS_WITH(drive.load(state), Catch::StartsWith("the saved state contradicts itself: I15: "));
}
