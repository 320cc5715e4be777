// Compares aging by counting with aging by requests, on random drives from random states, and likewise preconditioning. Both
// follow the same law, so all observable differences must be due to chance.
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/policies/gc_policy.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/drawn_designs.h"
#include "validation/checks/reference/sound_drive.h"
#include "validation/run/precondition.h"
#include "validation/run/simulated_device.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

void write(Drive& drive, std::uint64_t page) {
  const Request request{1, Op::write, page * drive.config().ftl.mapping_bytes, drive.config().ftl.mapping_bytes,
                        Nanoseconds{0}};
  Completion done;
  drive.submit({&request, 1});
  FTLAB_CHECK(drive.wait(kNever, {&done, 1}) == 1 && done.status == Status::ok, "a write failed");
}

void write_at_random(Drive& drive, std::uint64_t pages, std::uint64_t seed) {
  RandomStream random(seed, "pages");
  for (std::uint64_t i = 0; i < pages; ++i) write(drive, random.below(drive.config().logical_pages()));
}

// The compared quantities.
constexpr std::size_t kFigures = 6;
constexpr const char* kNames[kFigures] = {
    "media pages while it was aged",     "free superblocks",      "mapped pages", "deviation of valid pages by superblock",
    "deviation of erases by superblock", "media pages afterwards"};
using Figures = std::array<double, kFigures>;

double deviation(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean) / static_cast<double>(values.size());
  return std::sqrt(squares);
}

double media_pages(const Drive& drive) {
  const Counters counters = drive.counters();
  return static_cast<double>(counters.media_write_bytes() - counters.media_padding_bytes - counters.media_parity_bytes) /
         static_cast<double>(drive.config().ftl.mapping_bytes);
}

Figures figures_of(Drive& drive, double media_before, std::uint64_t window, std::uint64_t seed) {
  const Blocks& blocks = drive.ftl().store().blocks();
  std::vector<double> valid, erases;
  for (std::uint32_t b = 0; b < blocks.count(); ++b) {
    erases.push_back(drive.medium().superblocks().erases(SuperblockId{b}));
    const BlockState state = blocks.state(SuperblockId{b});  // the scan closes a partly collected victim again
    if (state == BlockState::closed || state == BlockState::collecting) valid.push_back(blocks.valid(SuperblockId{b}));
  }
  const double media = media_pages(drive);
  Figures figures{media - media_before,
                  static_cast<double>(blocks.free().count()),
                  static_cast<double>(drive.ftl().store().pages().mapped()),
                  deviation(valid),
                  deviation(erases),
                  0};
  write_at_random(drive, window, seed);
  figures.back() = media_pages(drive) - media;
  return figures;
}

// Change of each figure if one superblock is opened or collected slightly earlier or later.
Figures grain_of(const DriveConfig& drive) {
  const Layout layout(drive.geometry, drive.ftl.superblock, drive.ftl.slot_bytes());
  const double slots = layout.pages_per_superblock(), superblocks = layout.superblocks();
  return {2 * slots, 2, 2.0 * layout.pages_per_stripe(), slots / superblocks, 0.05, 2 * slots};
}

struct Case {
  DriveConfig drive;
  enum class Start : std::uint8_t { new_drive, filled, half_filled, aged, trimmed } start;
  std::uint64_t pages;  // written during aging
};
constexpr const char* kStarts[] = {"new", "filled", "half filled", "aged", "trimmed"};

struct CaseDraw : Draw {
  bool parity_and_pace = false;

  DriveConfig drive() {
    for (;;) {
      DriveConfig drive = striped_drive();
      drive.geometry.channels = of({1, 2, 4});
      drive.geometry.chips_per_channel = of({1, 2});
      drive.geometry.planes_per_die = of({1, 2});
      drive.geometry.blocks_per_plane = of({24, 48, 80});
      drive.geometry.pages_per_block = of({8, 16, 32});
      drive.geometry.page_bytes = of({4096, 8192});
      const bool wide = coin();
      drive.ftl.superblock = {wide ? drive.geometry.dies() : 1, wide ? drive.geometry.planes_per_die : 1, false};
      drive.ftl.superblock.parity = parity_and_pace && wide && drive.geometry.dies() > 1;
      const Layout layout(drive.geometry, drive.ftl.superblock, drive.ftl.mapping_bytes);
      if (layout.superblocks() < 40 || layout.page_count() > 40'000) continue;
      collection(drive.ftl);
      if (random.chance(1, 3)) {  // wears, but lasts
        drive.endurance.program_erase_limit = 1'000'000;
        drive.ftl.failure_reserve = 1;
      }
      if (parity_and_pace) drive.ftl.gc.even_pace = drive.ftl.gc.pages_per_host_write > 0 && coin();
      const std::uint64_t data_pages = std::uint64_t{layout.superblocks()} * layout.data_pages();
      drive.user_bytes = data_pages * (700 + random.below(250)) / 1000 * 4096;
      const std::uint64_t needed = superblocks_needed(drive.ftl, layout, drive.logical_pages());
      if (needed + drive.ftl.gc.stop_free <= layout.superblocks()) return drive;
    }
  }

  void collection(FtlConfig& ftl) {
    ftl.separate_relocation = coin();
    do {
      ftl.gc.policy = random.below(gc_policy_kinds().size());
    } while (!gc_policy_kinds()[ftl.gc.policy].by_counts);
    const GcPolicyKind& kind = gc_policy_kinds()[ftl.gc.policy];
    ftl.gc.values.assign(kind.parameters.size(), kind.windowed ? of({10, 100}) : of({2, 10}));
    ftl.gc.ties = static_cast<Bins::Keeping>(
        of({static_cast<std::uint32_t>(Bins::Keeping::lifo), static_cast<std::uint32_t>(Bins::Keeping::fifo),
            static_cast<std::uint32_t>(Bins::Keeping::sorted)}));
    ftl.gc.shuffle = random.chance(1, 4);
    ftl.gc.pages_per_host_write = coin() ? 0 : of({2, 8, 16});
    ftl.gc.start_free = 1 + static_cast<std::uint32_t>(random.below(4));
    ftl.gc.stop_free = ftl.gc.start_free + 1 + static_cast<std::uint32_t>(random.below(3));
    ftl.gc.even_pace = ftl.gc.pages_per_host_write > 0 && ftl.gc.start_free % 2 == 0;
    ftl.wear.least_worn_first = random.chance(1, 4);
  }

  Case next() {
    Case drawn{drive(), static_cast<Case::Start>(random.below(5)), 0};
    drawn.pages = drawn.drive.logical_pages() * (1 + random.below(40)) / 10;
    return drawn;
  }
};

std::string words_of(const Case& drawn) {
  const FtlConfig& ftl = drawn.drive.ftl;
  return std::string(kStarts[static_cast<std::size_t>(drawn.start)]) + ", " + std::to_string(drawn.pages) + " of " +
         std::to_string(drawn.drive.logical_pages()) + " pages, " + gc_policy_kinds()[ftl.gc.policy].name +
         (ftl.separate_relocation ? ", apart" : "") + ", free " + std::to_string(ftl.gc.start_free) + " to " +
         std::to_string(ftl.gc.stop_free) + (drawn.drive.endurance.ends() ? ", wears" : "") + ", pace " + std::to_string(ftl.gc.pages_per_host_write) +
         (ftl.gc.even_pace ? " even" : "") + ", superblocks " +
         std::to_string(Layout(drawn.drive.geometry, ftl.superblock, ftl.slot_bytes()).superblocks());
}

std::string state_at_start(const Case& drawn, std::uint64_t seed) {
  using Start = Case::Start;
  Drive drive(drawn.drive, Clock::untimed, seed);
  const std::uint64_t pages = drawn.drive.logical_pages();
  const std::uint64_t filled = drawn.start == Start::new_drive ? 0 : drawn.start == Start::half_filled ? pages / 2 : pages;
  for (std::uint64_t page = 0; page < filled; ++page) write(drive, page);
  if (drawn.start == Start::aged) write_at_random(drive, pages, seed + 300'000);
  if (drawn.start == Start::trimmed) {
    const Request request{1, Op::trim, 0, pages / 3 * 4096, Nanoseconds{0}};
    Completion done;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
  }
  return drive.save();
}

struct Sums {
  Figures sum{}, squares{};
  int count = 0;
  void add(const Figures& figures) {
    ++count;
    for (std::size_t f = 0; f < kFigures; ++f) sum[f] += figures[f], squares[f] += figures[f] * figures[f];
  }
  double mean(std::size_t f) const { return sum[f] / count; }
  double variance_of_mean(std::size_t f) const { return std::max(0.0, squares[f] - sum[f] * mean(f)) / (count - 1) / count; }
};

struct Compared {
  Sums requested, counted;
  // Excess of counting over requests. `grain`: see grain_of(); it can exceed the variance between runs.
  double in_standard_errors(std::size_t f, double grain) const {
    const double chance = counted.variance_of_mean(f) + requested.variance_of_mean(f);
    return (counted.mean(f) - requested.mean(f)) / std::sqrt(chance + grain * grain / counted.count);
  }
};

// `first`: seeds of different cases differ, so that their errors have nothing in common.
Compared compare(const Case& drawn, std::uint64_t first, std::uint64_t seeds) {
  Compared compared;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const std::string start = state_at_start(drawn, seed);
    for (const bool by_counting : {false, true}) {
      Drive drive(drawn.drive, Clock::untimed, seed);
      drive.load(start);
      const double media = media_pages(drive);
      if (!by_counting)
        write_at_random(drive, drawn.pages, seed);
      else
        REQUIRE(Lifecycle(drive).age_by_counting(drawn.pages, seed));
      const std::vector<std::string> problems = inspect(drive.ftl());
      REQUIRE(problems == std::vector<std::string>());
      Sums& sums = by_counting ? compared.counted : compared.requested;
      sums.add(figures_of(drive, media, drawn.drive.logical_pages() / 2, 100'000 + seed));
    }
  }
  return compared;
}

// The same drive, whose random writes are executed: static wear levelling is not counted, and with such a spread it moves
// nothing.
DriveConfig executing(DriveConfig drive) {
  drive.ftl.wear.static_spread = 1'000'000;
  drive.ftl.wear.check_every_erases = 1'000'000;
  return drive;
}

// Compares preconditioned new drives. Media pages are those of one drive write, as the number of rounds varies.
Compared compare_preconditioned(const DriveConfig& drawn, Precondition state, std::uint64_t first, std::uint64_t seeds) {
  Compared compared;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    for (const bool by_counting : {false, true}) {
      const auto used = used_device({}, std::make_unique<Drive>(by_counting ? drawn : executing(drawn), Clock::untimed, seed));
      SimulatedDevice& device = *used;
      const std::string note = precondition(device, {state, seed});
      REQUIRE((note.find("were counted") != std::string::npos) == by_counting);
      Drive& drive = *device.ssd();
      const std::vector<std::string> problems = inspect(drive.ftl());
      REQUIRE(problems == std::vector<std::string>());
      const double media = media_pages(drive) * static_cast<double>(drawn.user_bytes) /
                           static_cast<double>(drive.counters().host_write_bytes);
      Figures figures = figures_of(drive, 0, drawn.logical_pages() / 2, 100'000 + seed);
      figures.front() = media;
      (by_counting ? compared.counted : compared.requested).add(figures);
    }
  }
  return compared;
}

// Each figure of each case must be within six standard errors, and the mean over all cases within four: a systematic error
// of counting would put most cases on one side.
class Verdict {
 public:
  void add(const Compared& compared, const DriveConfig& drive) {
    ++cases_;
    for (std::size_t f = 0; f < kFigures; ++f) {
      INFO(kNames[f] << ": by requests " << compared.requested.mean(f) << ", by counting " << compared.counted.mean(f));
      const double errors = compared.in_standard_errors(f, grain_of(drive)[f]);
      CHECK(std::abs(errors) < 6);
      together_[f] += errors;
    }
  }
  void check_together() const {
    for (std::size_t f = 0; f < kFigures; ++f) {
      INFO(kNames[f]);
      CHECK(std::abs(together_[f]) < 4 * std::sqrt(cases_));
    }
  }

 private:
  double cases_ = 0;
  Figures together_{};
};

void check_cases(std::uint64_t cases, std::uint64_t seeds, bool parity_and_pace = false) {
  RandomStream random(37, "counted aging");
  CaseDraw draw{{random}, parity_and_pace};
  Verdict verdict;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case drawn = draw.next();
    INFO("case " << i << ": " << words_of(drawn));
    verdict.add(compare(drawn, 1 + i * seeds, seeds), drawn.drive);
  }
  verdict.check_together();
}

void check_preconditioned(std::uint64_t cases, std::uint64_t seeds) {
  RandomStream random(41, "counted preconditioning");
  CaseDraw draw{{random}, true};
  Verdict verdict;
  for (std::uint64_t i = 0; i < cases; ++i) {
    Case drawn = draw.next();
    drawn.start = Case::Start::new_drive;
    if (i % 3 == 2) {  // a write of 4 KiB is half a mapping page
      drawn.drive.geometry.page_bytes *= 2;
      drawn.drive.ftl.mapping_bytes *= 2;
      drawn.drive.user_bytes *= 2;
    }
    const Precondition state = i % 2 == 0 ? Precondition::random : Precondition::steady;
    INFO("case " << i << ": " << words_of(drawn) << (state == Precondition::random ? ", random" : ", steady"));
    verdict.add(compare_preconditioned(drawn.drive, state, 1 + i * seeds, seeds), drawn.drive);
  }
  verdict.check_together();
}

// 1,100 superblocks of 128 pages, which is enough to count those of data alone. A page of the map has 128 entries.
DriveConfig with_parts_aside(bool demand, bool cache, bool mode = false) {
  DriveConfig drive = striped_drive();
  drive.geometry = {2, 1, 1, 1, 1'100, 64, 4096, 128, 1024};
  drive.ftl.superblock = {2, 1, false};
  drive.user_bytes = std::uint64_t{1'100} * 128 * 88 / 100 * 4096;
  if (demand) {
    drive.ftl.mapping.scheme = MappingConfig::Scheme::demand;
    drive.ftl.mapping.cache = {true, 64 * 4096, 4096, 8, 128, MapCacheConfig::Eviction::lru};
    drive.ftl.mapping.translation_pages = static_cast<std::uint32_t>((drive.logical_pages() + 127) / 128);
  }
  if (cache) {
    drive.nand.program_slc = Nanoseconds{200'000};
    drive.ftl.slc = {30, 2, true, false};
  }
  if (mode) {
    drive.nand.program_slc = Nanoseconds{200'000};
    drive.ftl.pslc_mode = {.until_mapped_permille = 500, .cells_per_bit = 2};
  }
  drive.ftl.gc.pages_per_host_write = 8;
  drive.ftl.gc.start_free = drive.ftl.reserve(0) + 2;
  drive.ftl.gc.stop_free = drive.ftl.gc.start_free + 4;
  return drive;
}

// Figures of one drive write at random behind the preconditioning, in bytes programmed; then of the whole life.
struct Written {
  Counters since, life;
};
Written preconditioned(const DriveConfig& config, Precondition state, bool by_counting, bool versions = true) {
  const auto used = used_device({}, std::make_unique<Drive>(by_counting ? config : executing(config), Clock::untimed, 5));
  SimulatedDevice& device = *used;
  Drive& drive = *device.ssd();
  if (!versions) drive.discard_versions();
  const std::string note = precondition(device, {state, 5});
  REQUIRE((note.find("were counted, but for ") != std::string::npos) == by_counting);
  const std::vector<std::string> problems = inspect(drive.ftl());
  REQUIRE(problems == std::vector<std::string>());
  require_counted(drive);
  const Counters before = drive.counters();
  write_at_random(drive, config.logical_pages(), 9);
  require_counted(drive);
  return {difference(drive.counters(), before), before};
}

}  // namespace

TEST_CASE("a map on demand and a pSLC cache stand aside while data are counted, and cost what they cost by requests") {
  for (const auto& [demand, cache] :
       {std::pair(true, false), std::pair(false, true), std::pair(true, true), std::pair(false, false)}) {
    const DriveConfig config = with_parts_aside(demand, cache, !demand && !cache);
    for (const Precondition state : {Precondition::random, Precondition::steady}) {
      INFO((demand ? "map on demand " : "") << (cache ? "pSLC cache" : demand ? "" : "pSLC until half full") << ", state "
                                            << static_cast<int>(state));
      const Written executed = preconditioned(config, state, false), counted = preconditioned(config, state, true);
      const auto compare = [](std::uint64_t by_requests, std::uint64_t by_counting, double within) {
        CHECK(static_cast<double>(by_counting) == Approx(static_cast<double>(by_requests)).epsilon(within));
      };
      compare(executed.since.media_relocation_bytes, counted.since.media_relocation_bytes, 0.03);
      compare(executed.since.media_mapping_bytes, counted.since.media_mapping_bytes, 0.03);
      compare(executed.since.media_fold_bytes, counted.since.media_fold_bytes, 0.01);
      CHECK((counted.since.media_mapping_bytes > 0) == demand);
      CHECK((counted.since.media_fold_bytes > 0) == cache);
      if (state == Precondition::steady) continue;  // the number of rounds differs
      compare(executed.life.host_write_bytes, counted.life.host_write_bytes, 0.001);
      compare(executed.life.media_write_bytes(), counted.life.media_write_bytes(), 0.1);
      compare(executed.life.block_erases, counted.life.block_erases, 0.1);
    }
  }
}

TEST_CASE("a drive on which counting would leave little out is preconditioned by requests alone") {
  DriveConfig config = striped_drive();
  config.nand.program_slc = Nanoseconds{200'000};
  config.ftl.pslc_mode = {.until_mapped_permille = 500, .cells_per_bit = 2};
  REQUIRE(config.logical_pages() < 32'768);
  const auto used = used_device({}, std::make_unique<Drive>(config, Clock::untimed, 5));
  SimulatedDevice& device = *used;
  const std::string note = precondition(device, {Precondition::random, 5});
  CHECK(note.find("they were executed, as the drive is so small") != std::string::npos);
  CHECK(device.ssd()->counters().host_write_bytes == 3 * config.user_bytes);
}

TEST_CASE("what stands aside is the same without versions") {
  const DriveConfig config = with_parts_aside(true, true);
  const Written kept = preconditioned(config, Precondition::random, true);
  const Written dropped = preconditioned(config, Precondition::random, true, false);
  CHECK(kept.since.media_write_bytes() == dropped.since.media_write_bytes());
  CHECK(kept.life.block_erases == dropped.life.block_erases);
}

TEST_CASE("aging by counting and by requests differ by chance alone, from any state") { check_cases(20, 6); }

TEST_CASE("so it is with parity, and with collection at an even pace") { check_cases(12, 6, true); }

TEST_CASE("a drive preconditioned by counting differs by chance alone from one preconditioned by requests") {
  check_preconditioned(12, 5);
}

TEST_CASE("aging by counting differs by chance alone on hundreds of drives", "[.][long]") { check_cases(300, 16); }

TEST_CASE("so it is with preconditioning on a hundred drives", "[.][long]") { check_preconditioned(100, 12); }
