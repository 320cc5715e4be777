// pSLC superblocks that are folded when superblocks run short or the host is idle, on random drives.
#include "ftl/drive/drive.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// 64 superblocks of 1 MiB, 56 MiB of user space, two or three bits a cell. The flash is the bottleneck.
DriveConfig cached_drive(std::uint32_t cells, std::uint32_t pages_per_host_write) {
  DriveConfig drive = striped_drive();
  drive.nand.program.assign(cells, Nanoseconds{600'000});
  drive.nand.program_slc = Nanoseconds{200'000};
  drive.nand.bus_bytes_per_s = 1'000'000'000;
  drive.link = {6'000'000'000, Nanoseconds{0}, Nanoseconds{0}};
  drive.controller = {Nanoseconds{100}, Nanoseconds{100}};
  drive.ftl.gc.pages_per_host_write = pages_per_host_write;
  drive.ftl.gc.idle_after = Nanoseconds{1'000'000};
  drive.ftl.gc.idle_stop_free = 8;
  drive.ftl.pslc_mode = {.cells_per_bit = cells, .folds_late = true};
  return drive;
}

// Limits pSLC by a share of the free space or of the user space, with room for all three phases.
DriveConfig drawn_drive(RandomStream& random) {
  const auto cells = static_cast<std::uint32_t>(2 + random.below(2));
  DriveConfig drive = cached_drive(cells, static_cast<std::uint32_t>(random.below(5) * 2));
  if (random.chance(1, 2))
    drive.ftl.pslc_mode.free_space_permille = static_cast<std::uint32_t>(350 + random.below(350));
  else
    drive.ftl.pslc_mode.until_mapped_permille = static_cast<std::uint32_t>(170 + random.below(80));
  return drive;
}

std::string words(const DriveConfig& drive) {
  const PslcModeConfig& mode = drive.ftl.pslc_mode;
  return std::to_string(mode.cells_per_bit) + " cells a bit, until " + std::to_string(mode.until_mapped_permille) +
         ", of free " + std::to_string(mode.free_space_permille) + ", late " + std::to_string(mode.folds_late) + ", cache " +
         std::to_string(drive.ftl.slc.superblocks) + ", pages per host write " +
         std::to_string(drive.ftl.gc.pages_per_host_write);
}

bool holds_pslc(const Drive& drive, SuperblockId block) {
  return drive.medium().superblocks().programmed(block) > 0 && drive.medium().superblocks().pslc(block);
}

std::uint32_t pslc_superblocks(const Drive& drive) {
  std::uint32_t count = 0;
  for (std::uint32_t b = 0; b < drive.medium().layout().superblocks(); ++b) count += holds_pslc(drive, SuperblockId{b});
  return count;
}

// Valid pages stored with one bit a cell, including staged pages.
std::uint64_t pslc_pages(const Drive& drive) {
  const Blocks& blocks = drive.ftl().store().blocks();
  std::uint64_t pages = 0;
  for (std::uint32_t b = 0; b < blocks.count(); ++b) {
    const SuperblockId block{b};
    if (blocks.state(block) != BlockState::free && drive.medium().superblocks().pslc(block)) pages += blocks.valid(block);
  }
  return pages;
}

bool in_pslc(const Drive& drive, std::uint64_t page) {
  const HostPages::Found found = drive.ftl().pages().find(Lpn{static_cast<std::uint32_t>(page)});
  return found.ppn != kNoPpn && drive.medium().superblocks().pslc(drive.medium().layout().block_of(found.ppn));
}

void write_page(Drive& drive, std::uint64_t page) { execute(drive, Op::write, page * 4096, 4096, drive.idle_from()); }

void be_idle(Drive& drive) { execute(drive, Op::read, 0, 4096, drive.idle_from() + Nanoseconds{100'000'000'000}); }

// Overwrites the first `mib` MiB at random, then idles. Returns how many of the pages written next go to the cache, counted
// from the first superblock that is opened afterwards.
std::uint64_t cache_after_idle_time(Drive& drive, std::uint64_t mib, RandomStream& random) {
  for (std::uint64_t n = 0; n < mib * 256; ++n) write_page(drive, random.below(mib * 256));
  be_idle(drive);
  CHECK(pslc_superblocks(drive) <= 1);  // the open one
  std::uint64_t pages = 0, cached = 0;
  for (bool again = true; again; ++pages) {
    const std::uint64_t page = pages % (mib * 256);
    write_page(drive, page);
    cached += in_pslc(drive, page);
    again = in_pslc(drive, page) || (cached == 0 && pages < 512);
  }
  return cached;
}

}  // namespace

TEST_CASE("sustained writes go to the cache, then past it, and then slow down because of folding") {
  RandomStream random(1, "phases");
  for (int i = 0; i < 8; ++i) {
    const DriveConfig config = drawn_drive(random);
    INFO(words(config));
    Drive drive(config, Clock::timed);
    enum { cache, native, folding, phases };
    std::uint64_t ns_of[phases] = {}, mib_of[phases] = {};
    int phase = cache;
    for (std::uint64_t mib = 0; mib < 56; ++mib) {
      const Nanoseconds began = drive.idle_from();
      execute(drive, Op::write, mib << 20, 1 << 20, began);
      execute(drive, Op::flush, 0, 0, drive.idle_from());
      const bool past = !in_pslc(drive, (mib << 8) + 255), folds = drive.counters().media_fold_bytes > 0;
      REQUIRE((phase == cache || past));
      phase = folds ? folding : past ? native : cache;
      ns_of[phase] += (drive.idle_from() - began).count();
      ++mib_of[phase];
    }
    for (const std::uint64_t mib : mib_of) REQUIRE(mib > 0);
    CHECK(ns_of[cache] * mib_of[native] < ns_of[native] * mib_of[cache]);
    CHECK(ns_of[native] * mib_of[folding] < ns_of[folding] * mib_of[native]);
    CHECK(drive.counters().media_relocation_bytes == 0);
  }
}

TEST_CASE("each page in the cache is overwritten or folded once, and counted as folded at any GC rate") {
  RandomStream random(2, "folds");
  for (int i = 0; i < 24; ++i) {
    DriveConfig config = drawn_drive(random);
    config.ftl.gc.pages_per_host_write = i % 3 == 0 ? 0 : config.ftl.gc.pages_per_host_write;
    config.ftl.pslc_mode.folds_late = random.chance(2, 3);
    if (random.chance(1, 4)) {
      config.ftl.slc = {static_cast<std::uint32_t>(1 + random.below(4)), config.ftl.pslc_mode.cells_per_bit,
                        random.chance(1, 2), false};
      config.ftl.gc.pages_per_host_write = std::max(config.ftl.gc.pages_per_host_write, 1u);  // else `direct` never folds
      config.ftl.pslc_mode = {};
      config.user_bytes = 50 << 20;
    }
    INFO(words(config));
    Drive drive(config, Clock::untimed);
    const std::uint64_t pages = config.logical_pages();
    std::uint64_t held = 0, folded = 0, taken = 0;
    for (std::uint64_t n = 0; n < pages + 6'000; ++n) {
      const std::uint64_t page = n < pages ? n : random.below(pages);
      const bool was_cached = in_pslc(drive, page);
      write_page(drive, page);
      const bool cached = in_pslc(drive, page);
      const std::uint64_t now = drive.ftl().collection().relocated(RelocationCause::folding).pages, left = pslc_pages(drive);
      const std::uint64_t overwritten = held + cached - left - (now - folded);
      REQUIRE((overwritten == 0 || (overwritten == 1 && was_cached)));
      REQUIRE((overwritten == 1 || !was_cached || now > folded));
      taken += cached;
      held = left;
      folded = now;
    }
    CHECK(taken > 0);
    CHECK(folded > 0);
    CHECK(drive.counters().media_fold_bytes == folded * 4096);
    CHECK(inspect(drive.ftl()).empty());
  }
}

TEST_CASE("after idle time the cache has its share of the free space again, which shrinks as more is mapped") {
  RandomStream random(3, "cache sizes");
  for (int i = 0; i < 5; ++i) {
    DriveConfig config = cached_drive(static_cast<std::uint32_t>(2 + random.below(2)), 4);
    config.ftl.pslc_mode.free_space_permille = static_cast<std::uint32_t>(200 + random.below(700));
    INFO(words(config));
    const std::uint64_t superblock = 256 / config.ftl.pslc_mode.cells_per_bit;
    std::uint64_t before = 56 * 256;
    for (const std::uint64_t mib : {20 + random.below(10), 30 + random.below(10), std::uint64_t{56}}) {
      Drive drive(config, Clock::timed);
      for (std::uint64_t page = 0; page < mib * 256; ++page) write_page(drive, page);
      const std::uint64_t cached = cache_after_idle_time(drive, mib, random);
      CAPTURE(mib, cached);
      CHECK((cached > 0 || mib == 56));
      CHECK(cached <= before + superblock);
      const std::uint64_t again = cache_after_idle_time(drive, mib, random);
      CHECK(std::max(cached, again) - std::min(cached, again) <= superblock);
      before = cached;
    }
  }
}

TEST_CASE("a fixed cache that host writes bypass is folded only in idle time, and then completely") {
  RandomStream random(4, "fixed caches");
  for (int i = 0; i < 6; ++i) {
    DriveConfig config = cached_drive(static_cast<std::uint32_t>(2 + random.below(2)), 4);
    config.ftl.slc = {static_cast<std::uint32_t>(2 + random.below(10)), config.ftl.pslc_mode.cells_per_bit, true, true};
    config.ftl.pslc_mode = {};
    config.user_bytes = 40 << 20;
    INFO(words(config));
    Drive drive(config, Clock::timed);
    for (std::uint64_t page = 0; page < config.logical_pages(); ++page) write_page(drive, page);
    CHECK(drive.counters().media_fold_bytes == 0);
    CHECK(drive.ftl().store().blocks().free().count(1) == 0);
    be_idle(drive);
    CHECK(drive.ftl().store().blocks().free().count(1) == config.ftl.slc.superblocks);
  }
}

TEST_CASE("folding reads the pages of a stripe that go into one program together, by copyback, too") {
  for (const bool copyback : {false, true}) {
    DriveConfig config = cached_drive(2, 4);
    config.ftl.slc = {4, 2, false, false};
    config.ftl.pslc_mode = {};
    config.ftl.gc.copyback = copyback;
    config.user_bytes = 40 << 20;
    Drive drive(config, Clock::untimed);
    for (std::uint64_t page = 0; page < config.logical_pages(); ++page) write_page(drive, page);
    const std::uint64_t folded = drive.ftl().collection().relocated(RelocationCause::folding).pages;
    CHECK(folded > config.logical_pages() / 2);
    CHECK(drive.counters().array_reads * 2 == folded);  // a page in each of two planes
  }
}

TEST_CASE("a full drive under load has no pSLC cache") {
  RandomStream random(5, "full drives");
  for (int i = 0; i < 6; ++i) {
    DriveConfig config =
        cached_drive(static_cast<std::uint32_t>(2 + random.below(2)), static_cast<std::uint32_t>(4 * random.below(3)));
    config.ftl.pslc_mode.free_space_permille = static_cast<std::uint32_t>(200 + random.below(800));
    INFO(words(config));
    Drive drive(config, Clock::untimed);
    const std::uint64_t pages = config.logical_pages();
    for (std::uint64_t n = 0; n < 3 * pages; ++n) write_page(drive, n < pages ? n : random.below(pages));
    CHECK(pslc_superblocks(drive) == 0);
    for (std::uint64_t n = 0; n < pages; ++n) {
      const std::uint64_t page = random.below(pages);
      write_page(drive, page);
      REQUIRE_FALSE(in_pslc(drive, page));
    }
  }
}

TEST_CASE("a cache that may take all flash takes the host's data until the user space is full") {
  for (const std::uint32_t cells : {2u, 3u}) {
    for (const std::uint32_t pages_per_host_write : {0u, 4u}) {
      DriveConfig config = cached_drive(cells, pages_per_host_write);
      config.ftl.pslc_mode.free_space_permille = config.ftl.pslc_mode.all_flash_permille();
      INFO(words(config));
      Drive drive(config, Clock::untimed);
      const std::uint64_t pages = config.logical_pages(), superblock = 256;
      std::uint64_t before_folding = 0;
      for (std::uint64_t page = 0; page < pages; ++page) {
        write_page(drive, page);
        if (page + 2 * superblock < pages) REQUIRE(in_pslc(drive, page));
        if (drive.counters().media_fold_bytes == 0) before_folding = page;
      }
      // All but the superblocks that collection keeps free, at a bit a cell.
      CHECK(before_folding * cells > (64 - 12) * superblock);
      CHECK(drive.counters().media_relocation_bytes == 0);
      RandomStream random(cells, "overwrites of a full drive");
      for (std::uint64_t n = 0; n < 2 * pages; ++n) write_page(drive, random.below(pages));
      CHECK(pslc_superblocks(drive) == 0);
      CHECK(inspect(drive.ftl()).empty());
    }
  }
}

TEST_CASE("a cache that may take all flash takes nothing beyond the mapped share that is named") {
  DriveConfig config = cached_drive(4, 4);
  config.ftl.pslc_mode.free_space_permille = config.ftl.pslc_mode.all_flash_permille();
  config.ftl.pslc_mode.until_mapped_permille = 500;
  Drive drive(config, Clock::untimed);
  const std::uint64_t pages = config.logical_pages(), superblock = 256;
  for (std::uint64_t page = 0; page < pages; ++page) {
    write_page(drive, page);
    if (page * 2 > pages + 2 * superblock) REQUIRE_FALSE(in_pslc(drive, page));
  }
  CHECK(drive.counters().media_fold_bytes > 0);
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("each read for folding occupies its die for the time of folding, too") {
  constexpr std::uint64_t kFold = 300'000;
  DriveConfig config = cached_drive(3, 4);
  config.ftl.pslc_mode.free_space_permille = 500;
  double spent[2] = {}, reads[2] = {};
  for (const bool folds : {false, true}) {
    config.ftl.pslc_mode.fold = Nanoseconds{folds ? kFold : 0};
    Drive drive(config, Clock::timed);
    for (std::uint64_t page = 0; page < config.logical_pages(); ++page) write_page(drive, page);
    const Counters counters = drive.counters();
    REQUIRE(counters.media_fold_bytes > 0);
    spent[folds] = static_cast<double>(counters.die_internal_read_ns);
    reads[folds] = static_cast<double>(counters.array_reads - counters.buffered_reads);  // the host reads nothing
  }
  REQUIRE(reads[0] > 0);
  CHECK(spent[1] / reads[1] - spent[0] / reads[0] == Approx(kFold).epsilon(0.05));  // the rest waits for the channel
}
