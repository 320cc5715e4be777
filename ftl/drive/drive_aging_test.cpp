// A drive after aging by counting. Comparison with aging by requests: validation/checks/counted_aging_test.
#include <algorithm>
#include <vector>

#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/policies/gc_policy.h"
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

void fill_in_order(Drive& drive) {
  for (std::uint64_t at = 0; at < drive.config().user_bytes; at += 4096)
    REQUIRE(execute(drive, Op::write, at, 4096, Nanoseconds{0}).status == Status::ok);
}

struct Seen {
  Ppn ppn;
  Version version;
};
std::vector<Seen> pages_of(const Drive& drive) {
  std::vector<Seen> pages;
  for (std::uint32_t l = 0; l < drive.config().logical_pages(); ++l)
    pages.push_back({drive.ftl().store().pages().map().find(Lpn{l}), drive.ftl().pages().version(Lpn{l})});
  return pages;
}

std::uint64_t mapped_of(const std::vector<Seen>& seen) {
  const auto mapped = [](const Seen& page) { return page.ppn != kNoPpn; };
  return static_cast<std::uint64_t>(std::count_if(seen.begin(), seen.end(), mapped));
}

}  // namespace

TEST_CASE("pages that counting does not overwrite keep their order, and pages that it writes are newer") {
  Drive drive(striped_drive(), Clock::untimed, kSeed);
  fill_in_order(drive);
  const std::vector<Seen> before = pages_of(drive);
  const Version newest = drive.ftl().pages().newest_version();
  const std::uint64_t pages = drive.config().logical_pages(), written = pages * 3 / 2;
  Lifecycle(drive).age_by_counting(written, kSeed);
  require_sound(drive);
  const std::vector<Seen> after = pages_of(drive);
  std::uint64_t kept = 0, in_order = 0;
  const Layout& layout = drive.medium().layout();
  std::size_t last = 0;
  for (std::size_t l = 0; l < pages; ++l) {
    REQUIRE(after[l].ppn != kNoPpn);
    if (after[l].version > newest) continue;
    REQUIRE(after[l].version == before[l].version);
    ++kept;
    const auto same_superblock = [&](const std::vector<Seen>& seen) {
      return layout.block_of(seen[last].ppn) == layout.block_of(seen[l].ppn);
    };
    const bool together = kept > 1 && same_superblock(before) && same_superblock(after);
    in_order += together && after[last].ppn < after[l].ppn;
    last = l;
  }
  // Each page is missed by every write with the same probability.
  CHECK(static_cast<double>(kept) / static_cast<double>(pages) == Approx(std::exp(-1.5)).epsilon(0.05));
  CHECK(in_order > kept * 8 / 10);  // except where relocation split a superblock's pages
}

TEST_CASE("a drive can be aged by counting in any state and works as usual afterwards") {
  for (const bool apart : {false, true}) {
    DriveConfig config = striped_drive();
    config.ftl.separate_relocation = apart;
    const std::uint64_t pages = config.logical_pages();
    Drive drive(config, Clock::timed, kSeed);
    for (int step = 0; step < 4; ++step) {
      Lifecycle(drive).age_by_counting(pages * 2 / 5 + 1, kSeed);
      require_sound(drive);
      CHECK(drive.medium().pages().programmed() * 4096 == drive.counters().media_write_bytes());
      run(drive, "rw=randwrite\nbs=4k\nnorandommap\niodepth=32\nio_size=2m\n");
      const Request trim{1, Op::trim, 4096 * 100, 4096 * 50, drive.latest()};
      execute(drive, trim);
      require_sound(drive);
      Lifecycle(drive).power_cycle();
      require_sound(drive);
    }
    CHECK(drive.counters().power_cuts == 4);
    CHECK(drive.counters().host_write_commands * 4096 == drive.counters().host_write_bytes);
    Drive other(config, Clock::timed, kSeed);
    other.load(drive.save());
    Signature one, two;
    sign(drive, one);
    sign(other, two);
    CHECK(one.value() == two.value());
  }
}

TEST_CASE("trimmed pages stay unmapped unless aging by counting writes them") {
  Drive drive(striped_drive(), Clock::untimed, kSeed);
  fill_in_order(drive);
  const std::uint64_t pages = drive.config().logical_pages();
  execute(drive, Op::trim, 0, drive.config().user_bytes, Nanoseconds{0});
  REQUIRE(mapped_of(pages_of(drive)) == 0);
  Lifecycle(drive).age_by_counting(pages / 2, kSeed);
  require_sound(drive);
  const std::uint64_t mapped = mapped_of(pages_of(drive));
  CHECK(static_cast<double>(mapped) / static_cast<double>(pages) == Approx(1 - std::exp(-0.5)).epsilon(0.05));
  Lifecycle(drive).power_cycle();
  CHECK(mapped_of(pages_of(drive)) == mapped);
}

TEST_CASE("superblocks keep their closing times when a drive is aged by counting") {
  DriveConfig config = striped_drive();
  Drive drive(config, Clock::untimed, kSeed);
  Lifecycle(drive).age_by_counting(3 * config.logical_pages(), kSeed);
  const Blocks& blocks = drive.ftl().store().blocks();
  std::uint64_t last = 0;
  for (SuperblockId b = blocks.closed().oldest(0); b != kNoBlock; b = blocks.closed().next_younger(b)) {
    CHECK(blocks.columns().closed_at[number(b)] >= last);
    last = blocks.columns().closed_at[number(b)];
  }
  CHECK(blocks.columns().closed_at[number(blocks.closed().oldest(0))] > 0);
  CHECK(last <= drive.ftl().store().counts().pages_appended);
  CHECK(last > blocks.columns().closed_at[number(blocks.closed().oldest(0))] + config.logical_pages() / 2);
}

TEST_CASE("aging by counting ends with a complete stripe and nothing in RAM") {
  DriveConfig config = striped_drive();
  for (std::uint64_t writes = 30'000; writes < 30'004; ++writes) {
    Drive drive(config, Clock::untimed);
    Lifecycle(drive).age_by_counting(writes, kSeed);
    for (const Stage& stage : drive.ftl().store().stages()) CHECK(stage.slots_in_ram() == 0);
    const std::uint64_t written = drive.counters().host_write_bytes / 4096;
    CHECK((written >= writes && written < writes + drive.medium().layout().pages_per_stripe()));
    CHECK(drive.medium().pages().programmed() * 4096 == drive.counters().media_write_bytes());
  }
}

TEST_CASE("rounds are counted until they are not wanted any more, with parts of a mapping page") {
  DriveConfig config = striped_drive();
  config.ftl.mapping_bytes = 8192;
  Drive drive(config, Clock::untimed);
  fill_in_order(drive);
  const Counters before = drive.counters();
  std::vector<double> amplifications;
  std::uint64_t reported = 0;
  CountedPlan plan{5'000, 4096};
  plan.another = [&](double wa) {
    amplifications.push_back(wa);
    return amplifications.size() < 3;
  };
  plan.progress = [&](std::uint64_t writes) { reported = writes; };
  Lifecycle(drive).age_by_counting(plan, kSeed);
  require_sound(drive);
  REQUIRE(amplifications.size() == 3);
  CHECK(amplifications.back() >= 2);  // each write of 4 KiB programs a page of 8 KiB
  CHECK(reported == 15'000);
  const Counters after = drive.counters();
  CHECK(after.host_write_bytes - before.host_write_bytes == (after.host_write_commands - before.host_write_commands) * 4096);
  CHECK(after.media_fill_bytes - before.media_fill_bytes == after.host_write_bytes - before.host_write_bytes);
  CHECK(drive.medium().pages().programmed() * 8192 == after.media_write_bytes());
}

TEST_CASE("a plan that is interrupted leaves the drive's data as they were") {
  Drive drive(striped_drive(), Clock::untimed);
  fill_in_order(drive);
  const std::vector<Seen> before = pages_of(drive);
  CountedPlan plan{1'000};
  plan.progress = [](std::uint64_t) { throw std::runtime_error("stop"); };
  CHECK_THROWS_AS(Lifecycle(drive).age_by_counting(plan, kSeed), std::runtime_error);
  require_sound(drive);
  const std::vector<Seen> after = pages_of(drive);
  for (std::size_t l = 0; l < before.size(); ++l) CHECK(after[l].version == before[l].version);
}

TEST_CASE("a drive without versions is aged to the same places") {
  for (const bool parity : {false, true}) {
    DriveConfig config = striped_drive();
    config.ftl.superblock.parity = parity;
    if (parity) config.user_bytes = 40ull << 20;
    Drive kept(config, Clock::untimed), dropped(config, Clock::untimed);
    dropped.discard_versions();
    for (Drive* drive : {&kept, &dropped}) {
      fill_in_order(*drive);
      Lifecycle(*drive).age_by_counting(config.logical_pages() / 3, kSeed);
      Lifecycle(*drive).age_by_counting(config.logical_pages(), kSeed + 1);
      require_sound(*drive);
      run(*drive, "rw=randwrite\nbs=4k\nnorandommap\niodepth=32\nio_size=2m\n");
    }
    Signature one, two;
    sign_slots(kept, one);
    sign_slots(dropped, two);
    CHECK(one.value() == two.value());
  }
}

TEST_CASE("aging by counting is refused for designs that it does not model") {
  const auto problem = [](const DriveConfig& config) { return counted_aging_problem(Drive(config, Clock::timed)); };
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
  CHECK(problem(config).empty());  // 1e-6: no page of the new flash needs a retry
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
  seen("has flash that fails before its limit (endurance)", [](DriveConfig& drive) {
    drive.endurance.erase_failures_per_billion = 1'000;
    drive.ftl.failure_reserve = 1;
    drive.ftl.gc.start_free = 4;
  });
  seen("keeps whole pages in RAM to be overwritten there (ftl.write_buffer.coalesce)",
       [](DriveConfig& drive) { drive.ftl.buffer.coalesce = true; });
  seen("moves data at rest to level wear (ftl.wear.static_spread_erases)",
       [](DriveConfig& drive) { drive.ftl.wear.static_spread = 10; });
}

TEST_CASE("a map on demand and a pSLC cache may stand aside only on a drive of many superblocks") {
  for (const std::uint32_t blocks : {200u, 1'000u}) {
    DriveConfig config = striped_drive();
    config.geometry.blocks_per_plane = blocks;
    config.ftl.slc.superblocks = 1;
    config.ftl.slc.cells_per_bit = 2;
    config.nand.program_slc = Nanoseconds{200'000};
    const Drive drive(config, Clock::untimed);
    CHECK(counts_in_part(config.ftl));
    CHECK_FALSE(counted_aging_problem(drive).empty());
    const bool many = drive.ftl().store().blocks().free().quota(0) >= 512;
    CHECK(many == (blocks == 1'000));
    CHECK(counted_aging_problem(drive, true).empty() == many);
  }
  CHECK_FALSE(counts_in_part(striped_drive().ftl));
}

TEST_CASE("counting wears the flash as executing does, and stops before a block wears out") {
  DriveConfig config = striped_drive();
  config.endurance.program_erase_limit = 1'000;
  config.ftl.failure_reserve = 1;
  config.ftl.gc.start_free = 4;
  config.ftl.gc.stop_free = 6;
  Drive drive(config, Clock::untimed);
  fill_in_order(drive);
  const std::uint64_t pages = config.logical_pages();
  REQUIRE(Lifecycle(drive).age_by_counting(3 * pages, kSeed));
  require_sound(drive);
  const BadBlockTable& health = *drive.flash().health;
  health.inspect();
  std::uint64_t erases = 0;
  for (std::uint32_t b = 0; b < drive.medium().layout().superblocks(); ++b)
    erases += drive.medium().superblocks().erases(SuperblockId{b});
  CHECK(erases > 0);
  CHECK(health.block_erases() == erases * drive.medium().layout().blocks_per_superblock());
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\niodepth=32\nio_size=2m\n");
  require_sound(drive);
  const std::vector<Seen> before = pages_of(drive);
  const Counters counters = drive.counters();
  CHECK_FALSE(Lifecycle(drive).age_by_counting(2'000 * pages, kSeed));
  require_sound(drive);
  const std::vector<Seen> after = pages_of(drive);
  for (std::size_t l = 0; l < before.size(); ++l) REQUIRE(after[l].version == before[l].version);
  CHECK(drive.counters().host_write_bytes == counters.host_write_bytes);
  CHECK(drive.counters().media_relocation_bytes == counters.media_relocation_bytes);
}

TEST_CASE("counting dates the cells that it writes, and stops before reads of new data need retries") {
  DriveConfig config = striped_drive();
  config.cells.fresh_per_pbit = 1'000'000'000;  // 1e-6, and 2e-3 at 1,200 cycles: 17 bits of a codeword
  config.cells.wear_cycles = 100;
  config.cells.fresh_exponent = 3'000;
  config.cells.retention_per_pbit = 1'000'000'000;
  config.cells.kinds_permille = {1000, 1000};
  config.cells.correctable_bits = 24;
  Drive drive(config, Clock::timed);
  run(drive, "rw=write\nbs=64k\n");
  run(drive, "rw=randread\nbs=4k\nruntime=30\ntime_based\nthinktime=100000\n");
  REQUIRE(Lifecycle(drive).age_by_counting(config.logical_pages(), kSeed));
  require_sound(drive);
  const Layout& layout = drive.medium().layout();
  std::uint32_t written_now = 0;
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b) {
    const SuperblockId block{b};
    if (drive.medium().superblocks().programmed(block) == 0 || drive.medium().superblocks().erases(block) == 0) continue;
    CHECK(drive.flash().errors->rate(block, 0, layout.die_of(block, 0)).gathered == 0);
    ++written_now;
  }
  CHECK(written_now > 0);
  CHECK_FALSE(Lifecycle(drive).age_by_counting(2'000 * config.logical_pages(), kSeed));
  require_sound(drive);
}

TEST_CASE("a drive whose versions would be renumbered is not aged by counting") {
  DriveConfig config = striped_drive();
  config.ftl.most_versions = 2 * static_cast<std::uint32_t>(config.logical_pages());
  Drive drive(config, Clock::untimed);
  fill_in_order(drive);
  CHECK(counted_aging_problem(drive) == "");
  execute(drive, Op::write, 0, 4096, Nanoseconds{0});
  CHECK(counted_aging_problem(drive) ==
        "has been written so often that its versions must be renumbered, which counting does not do");
}
