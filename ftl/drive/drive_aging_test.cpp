// A drive aged by counting is one that was aged by requests.
#include <algorithm>
#include <vector>

#include "ftl/gc/gc_policy.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kSeed = 11;

void require_sound(const Drive& drive) {
  for (const std::string& sentence : inspect(drive.ftl())) FAIL(sentence);
}

// Page by page, and those overwritten that the counting draws.
void age_by_requests(Drive& drive, std::uint64_t overwrites) {
  const std::uint64_t pages = drive.config().logical_pages();
  RandomStream random(kSeed, "counted aging");
  for (std::uint64_t i = 0; i < pages + overwrites; ++i) {
    const std::uint64_t page = i < pages ? i : random.below(pages);
    REQUIRE(execute(drive, Op::write, page * 4096, 4096, Nanoseconds{0}).status == Status::ok);
  }
}

struct Moments {
  double mean = 0, deviation = 0;
};
template <class Values>
Moments moments_of(const Values& values) {
  Moments moments;
  for (const auto value : values) moments.mean += value;
  moments.mean /= static_cast<double>(values.size());
  for (const auto value : values) moments.deviation += (value - moments.mean) * (value - moments.mean);
  moments.deviation = std::sqrt(moments.deviation / static_cast<double>(values.size()));
  return moments;
}

std::vector<std::uint32_t> current_pages(const Drive& drive) {
  const Blocks& blocks = drive.ftl().store().blocks();
  std::vector<std::uint32_t> counts;
  for (SuperblockId b = blocks.oldest(0); b != kNoBlock; b = blocks.next_younger(b)) counts.push_back(blocks.valid(b));
  return counts;
}

double amplification_of_random_writes(Drive& drive, double drive_writes) {
  const Counters before = drive.counters();
  const auto bytes = static_cast<std::uint64_t>(static_cast<double>(drive.config().user_bytes) * drive_writes) / 4096 * 4096;
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\niodepth=32\nio_size=" + std::to_string(bytes) + "\n");
  const Counters after = drive.counters();
  return static_cast<double>(after.media_write_bytes() - before.media_write_bytes()) /
         static_cast<double>(after.host_write_bytes - before.host_write_bytes);
}

}  // namespace

TEST_CASE("with one frontier that collects at the last moment, counting leaves each page where requests leave it") {
  for (const char* policy : {"greedy", "fifo", "d-choices", "cost-benefit"}) {
    INFO(policy);
    DriveConfig config = theory_drive(60, 32, 1'600);
    config.ftl.gc.policy = gc_policy_index(policy);
    if (config.ftl.gc.policy == gc_policy_index("d-choices")) config.ftl.gc.values = {5};
    Drive by_requests(config, Clock::untimed, kSeed), counted(config, Clock::untimed, kSeed);
    age_by_requests(by_requests, 20'000);
    REQUIRE(counted.counted_aging_problem().empty());
    counted.age_by_counting(20'000, kSeed);
    require_sound(counted);
    const PageMap& one = by_requests.ftl().store().map();
    const PageMap& other = counted.ftl().store().map();
    const Layout& layout = counted.medium().layout();
    for (std::uint32_t l = 0; l < 1'600; ++l)
      REQUIRE(layout.block_of(one.find(Lpn{l})) == layout.block_of(other.find(Lpn{l})));
    std::uint32_t programmed = 0;
    for (std::uint32_t b = 0; b < layout.superblocks(); ++b) {
      CHECK(counted.medium().erases(SuperblockId{b}) == by_requests.medium().erases(SuperblockId{b}));
      CHECK(counted.medium().programmed(SuperblockId{b}) == by_requests.medium().programmed(SuperblockId{b}));
      programmed += counted.medium().programmed(SuperblockId{b});
    }
    CHECK(counted.ftl().newest_version() == Version{programmed});  // one for each page that is there, stale ones too
    const Counters was = by_requests.counters(), is = counted.counters();
    CHECK(is.host_write_bytes == was.host_write_bytes);
    CHECK(is.media_write_bytes() == was.media_write_bytes());
    CHECK(is.relocated_pages == was.relocated_pages);
    CHECK(is.collected_superblocks == was.collected_superblocks);
    CHECK(is.block_erases == was.block_erases);
    CHECK(is.mapped_bytes == was.mapped_bytes);
  }
}

TEST_CASE("a drive with stripes, a pace and a frontier for relocated pages is aged as by requests, but for chance") {
  DriveConfig config = striped_drive();
  config.geometry.blocks_per_plane = 256;
  config.user_bytes = 224ull << 20;
  for (const bool apart : {false, true}) {
    INFO("relocation apart: " << apart);
    config.ftl.separate_relocation = apart;
    const std::uint64_t overwrites = 4 * config.logical_pages();
    Drive by_requests(config, Clock::untimed, kSeed), counted(config, Clock::untimed, kSeed);
    age_by_requests(by_requests, overwrites);
    counted.age_by_counting(overwrites, kSeed);
    require_sound(counted);
    CHECK(counted.counters().host_write_bytes >= by_requests.counters().host_write_bytes);
    CHECK(counted.counters().host_write_bytes < by_requests.counters().host_write_bytes + 8 * 4096);
    CHECK(counted.medium().pages_programmed() * 4096 == counted.counters().media_write_bytes());
    const Moments was = moments_of(current_pages(by_requests)), is = moments_of(current_pages(counted));
    CHECK(is.mean == Approx(was.mean).epsilon(0.01));
    CHECK(is.deviation == Approx(was.deviation).epsilon(0.15));
    CHECK(amplification_of_random_writes(counted, 1) ==
          Approx(amplification_of_random_writes(by_requests, 1)).epsilon(0.015));
    require_sound(counted);
    counted.power_cycle();
    require_sound(counted);
    CHECK(counted.counters().mapped_bytes == config.user_bytes);
  }
}

TEST_CASE("so it does with more superblocks than two bytes can number") {
  const DriveConfig config = theory_drive(66'000, 2, 110'000);
  Drive by_requests(config, Clock::untimed, kSeed), counted(config, Clock::untimed, kSeed);
  age_by_requests(by_requests, 30'000);
  counted.age_by_counting(30'000, kSeed);
  require_sound(counted);
  const Layout& layout = counted.medium().layout();
  for (std::uint32_t l = 0; l < 110'000; ++l)
    REQUIRE(layout.block_of(by_requests.ftl().store().map().find(Lpn{l})) ==
            layout.block_of(counted.ftl().store().map().find(Lpn{l})));
}

TEST_CASE("a drive is aged up to the end of a stripe, with nothing in RAM") {
  DriveConfig config = striped_drive();
  for (std::uint64_t overwrites = 20'000; overwrites < 20'004; ++overwrites) {
    Drive drive(config, Clock::untimed);
    drive.age_by_counting(overwrites, kSeed);
    require_sound(drive);
    for (const Frontier& frontier : drive.ftl().store().frontiers()) CHECK(frontier.slots_in_ram() == 0);
    const std::uint64_t written = drive.counters().host_write_bytes / 4096, asked = config.logical_pages() + overwrites;
    CHECK((written >= asked && written < asked + drive.medium().layout().pages_per_stripe()));
    CHECK(drive.medium().pages_programmed() * 4096 == drive.counters().media_write_bytes());
  }
}

TEST_CASE("what counting does not see is not aged by it") {
  const auto problem = [](const DriveConfig& config) { return Drive(config, Clock::timed).counted_aging_problem(); };
  DriveConfig config = striped_drive();
  CHECK(problem(config).empty());
  config.ftl.gc.policy = gc_policy_index("greedy-least-worn");
  CHECK(problem(config) == "chooses victims by more than the numbers of their current pages and when they were closed");
  config = striped_drive();
  config.ftl.placement.scheme = PlacementConfig::Scheme::streams;
  config.ftl.placement.streams = 2;
  CHECK(problem(config) == "keeps kinds of data apart (ftl.placement), which counting does not see");
  config = striped_drive();
  config.cells.fresh_per_pbit = 1'000'000'000;
  config.cells.kinds_permille = {1000, 1000};
  config.cells.correctable_bits = 24;
  CHECK(problem(config) == "has flash that errs (cells), which counting does not see");
  const auto seen = [&problem](const char* words, void (*change)(DriveConfig&)) {
    DriveConfig changed = striped_drive();
    change(changed);
    CAPTURE(words);
    CHECK(problem(changed) == words + std::string(", which counting does not see"));
  };
  seen("finds data by more than a map of pages in RAM (ftl.mapping.scheme)", [](DriveConfig& drive) {
    drive.ftl.mapping.scheme = MappingConfig::Scheme::extent;
    drive.ftl.mapping.extents.entries = 20'000;
  });
  seen("has a cache of one bit a cell (ftl.slc_cache)", [](DriveConfig& drive) {
    drive.ftl.slc.superblocks = 1;
    drive.ftl.slc.cells_per_bit = 2;
  });
  seen("writes one bit a cell at first (ftl.pslc_mode)",
       [](DriveConfig& drive) { drive.ftl.pslc_mode = {.until_mapped_permille = 500, .cells_per_bit = 2}; });
  seen("compresses (ftl.compression)", [](DriveConfig& drive) { drive = packing(drive); });
  seen("deduplicates (ftl.deduplication)", [](DriveConfig& drive) {
    drive.ftl.deduplication = {std::uint64_t{1} << 20, 32, Nanoseconds{0}, Nanoseconds{0}};
    drive.ftl.buffer.power_loss_protected = true;
  });
  seen("keeps parity (ftl.superblock.parity)", [](DriveConfig& drive) {
    drive.ftl.superblock.parity = true;
    drive.user_bytes = 40ull << 20;
  });
  seen("has flash that wears out (endurance)", [](DriveConfig& drive) {
    drive.endurance.program_erase_limit = 1'000;
    drive.ftl.failure_reserve = 1;
    drive.ftl.gc.start_free = 4;
  });
  Drive written(striped_drive(), Clock::timed);
  execute(written, Op::write, 0, 4096 * 64, Nanoseconds{0});
  CHECK(written.counted_aging_problem() == "has been written already, and counting ages a new drive");
}
