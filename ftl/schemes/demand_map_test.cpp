// Compares a demand-cached map inside a drive with a minimal simulation of its cache, on the same requests.
//
// Without collection everything agrees: hits, misses, translation pages read and written. With collection hits and misses
// still agree under LRU, segmented LRU and FIFO: when a page moves, its entry is updated in place, and a cached entry keeps
// its position in the order of eviction. (Clean-first depends on dirty entries, and moving pages makes entries dirty.) More
// translation pages are written then, because moved pages may have no entry in RAM.
#include "ftl/schemes/demand_map.h"

#include <algorithm>
#include <list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using Eviction = MapCacheConfig::Eviction;

namespace {

const DemandMap& demand_map(const Ftl& ftl) { return dynamic_cast<const DemandMap&>(ftl.scheme()); }

constexpr std::uint32_t kPage = 512;           // data and translation pages; small, so that the map has many pages
constexpr std::uint32_t kEntries = kPage / 4;  // entries of a translation page
constexpr std::uint32_t kLogical = 64 * kEntries - 40;

// One die; superblocks of 64 stripes of two pages. `spare_superblocks`: in addition to those that the logical pages fill.
DriveConfig drive_with(MapCacheConfig cache, std::uint32_t spare_superblocks) {
  DriveConfig drive = theory_drive(64 + spare_superblocks, 64, kLogical);
  drive.geometry.page_bytes = kPage;
  drive.geometry.planes_per_die = 2;
  drive.ftl.superblock = {1, 2, false};
  drive.ftl.mapping_bytes = kPage;
  drive.user_bytes = std::uint64_t{kLogical} * kPage;
  cache.page_bytes = kPage;
  cache.entry_bytes = 8;
  cache.entries_per_page = kEntries;
  cache.clean_window = 4;
  drive.ftl.mapping.scheme = MappingConfig::Scheme::demand;
  drive.ftl.mapping.cache = cache;
  drive.ftl.mapping.translation_pages = (kLogical + kEntries - 1) / kEntries;
  drive.ftl.gc.start_free = drive.ftl.reserve(0);
  drive.ftl.gc.stop_free = drive.ftl.reserve(0) + 1;
  return drive;
}

MapCacheConfig pages(std::uint64_t capacity, Eviction eviction) {
  return {true, capacity * kPage, 0, 0, 0, eviction, 0, true, 0};
}

MapCacheConfig entries(std::uint64_t capacity, Eviction eviction, bool batch) {
  return {false, capacity * 8, 0, 0, 0, eviction, 0, batch, 0};
}

std::vector<MapCacheConfig> caches() {
  return {pages(1, Eviction::lru),
          pages(12, Eviction::lru),
          pages(12, Eviction::fifo),
          pages(40, Eviction::lru),
          entries(900, Eviction::lru, true),
          entries(900, Eviction::lru, false),
          entries(900, Eviction::fifo, true),
          entries(900, Eviction::fifo, false),
          entries(7, Eviction::lru, true)};
}

std::string words(const MapCacheConfig& cache) {
  return std::string(cache.whole_pages ? "pages" : "entries") + " in " + std::to_string(cache.budget_bytes) +
         " bytes, eviction " + std::to_string(static_cast<int>(cache.eviction)) + ", batch " +
         std::to_string(cache.batch_write_back);
}

// The cache as a list from the oldest to the newest unit. A translation page is in the flash once its stripe is full, that
// is, for every two pages in the order of writing.
class PlainMap {
 public:
  explicit PlainMap(const MapCacheConfig& config)
      : config_(config), capacity_(config.budget_bytes / (config.whole_pages ? kPage : 8)) {}

  void access(std::uint32_t lpn, bool update) {
    const std::uint32_t unit = config_.whole_pages ? lpn / kEntries : lpn;
    if (dirty_.count(unit) == 0) {
      ++misses;
      if (order_.size() == capacity_) evict();
      load(lpn / kEntries);
      order_.push_back(unit);
      dirty_[unit] = false;
    } else {
      ++hits;
      if (config_.eviction == Eviction::lru) {
        order_.remove(unit);
        order_.push_back(unit);
      }
    }
    if (update) dirty_[unit] = true;
  }

  std::uint64_t hits = 0, misses = 0, pages_read = 0, pages_written = 0;

 private:
  std::uint32_t page_of(std::uint32_t unit) const { return config_.whole_pages ? unit : unit / kEntries; }

  void evict() {
    const std::uint32_t unit = order_.front();
    order_.pop_front();
    const bool write = dirty_[unit];
    dirty_.erase(unit);
    if (!write) return;
    if (!config_.whole_pages) load(page_of(unit));  // for the other entries of the page
    written_[page_of(unit)] = ++pages_written;
    if (config_.whole_pages || !config_.batch_write_back) return;
    for (auto& [other, dirty] : dirty_) dirty = dirty && page_of(other) != page_of(unit);
  }

  void load(std::uint32_t page) {
    const auto written = written_.find(page);
    const std::uint64_t programmed = pages_written / 2 * 2;
    if (written != written_.end() && written->second <= programmed) ++pages_read;
  }

  MapCacheConfig config_;
  std::uint64_t capacity_;
  std::list<std::uint32_t> order_;
  std::map<std::uint32_t, bool> dirty_;             // cached units; true if dirty
  std::map<std::uint32_t, std::uint64_t> written_;  // translation page: number of its last write
};

// The same requests for the drive and the minimal simulation. `mapped_`: pages that a trim would unmap.
class Pair {
 public:
  explicit Pair(const DriveConfig& config)
      : drive_(config, Clock::untimed),
        plain_(config.ftl.mapping.cache),
        alone_(config.ftl.mapping.cache, kLogical),
        mapped_(kLogical) {}

  void run(std::uint32_t requests, bool trims) {
    RandomStream random(13, "demand map");
    for (std::uint32_t i = 0; i < requests; ++i) {
      const std::uint32_t length = random.chance(1, 4) ? 1 + static_cast<std::uint32_t>(random.below(8)) : 1;
      const std::uint32_t range = random.chance(1, 2) ? kLogical / 8 : kLogical;
      const auto first = static_cast<std::uint32_t>(random.below(range - length + 1));
      const std::uint64_t kind = random.below(10);
      execute(kind < 3 ? Op::read : kind < 4 && trims ? Op::trim : Op::write, first, length);
    }
  }

  void fill() {
    for (std::uint32_t lpn = 0; lpn < kLogical; ++lpn) execute(Op::write, lpn, 1);
  }

  void require_same_hits() const {
    REQUIRE(drive_.counters().mapping_hits == plain_.hits);
    REQUIRE(drive_.counters().mapping_misses == plain_.misses);
    REQUIRE(plain_.hits > 0);
    REQUIRE(plain_.misses > 0);
  }

  const Drive& drive() const { return drive_; }
  const PlainMap& plain() const { return plain_; }
  const MapCache& alone() const { return alone_; }

 private:
  void execute(Op op, std::uint32_t first, std::uint32_t length) {
    const Request request{0, op, std::uint64_t{first} * kPage, std::uint64_t{length} * kPage};
    drive_.submit({&request, 1});
    Completion done;
    drive_.wait(kNever, {&done, 1});
    if (done.status != Status::ok) FAIL("a request came to nothing");
    for (std::uint32_t lpn = first; lpn < first + length; ++lpn) {
      if (op == Op::trim && !mapped_[lpn]) continue;
      plain_.access(lpn, op != Op::read);
      alone_.access(lpn, op != Op::read, written_back_);
      if (op != Op::read) mapped_[lpn] = op == Op::write;
    }
  }

  Drive drive_;
  PlainMap plain_;
  MapCache alone_;  // the drive's kind of cache, without any collection
  std::vector<std::uint32_t> written_back_;
  std::vector<bool> mapped_;
};

}  // namespace

TEST_CASE("without collection a demand map has the hits, misses, reads and writes of a minimal simulation of its cache") {
  for (const MapCacheConfig& cache : caches()) {
    INFO(words(cache));
    Pair pair(drive_with(cache, 1'200));
    pair.run(30'000, true);
    const Counters counters = pair.drive().counters();
    REQUIRE(counters.collected_superblocks == 0);
    pair.require_same_hits();
    CHECK(counters.mapping_pages_read == pair.plain().pages_read);
    CHECK(demand_map(pair.drive().ftl()).pages_written() == pair.plain().pages_written);
    CHECK(counters.media_mapping_bytes == pair.plain().pages_written * kPage);
    CHECK(pair.plain().pages_written > 100);
    CHECK(pair.plain().pages_read > 100);
  }
}

// Trims one data page of each translation page. The translation page filled last is in the cache, and dirty.
TEST_CASE("scattered trims read a translation page and write back the one before it") {
  Drive drive(drive_with(pages(1, Eviction::lru), 100), Clock::untimed);
  const auto execute = [&drive](Op op, std::uint32_t page) {
    const Request request{1, op, std::uint64_t{page} * kPage, kPage, Nanoseconds{0}};
    drive.submit({&request, 1});
    Completion done;
    REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
  };
  for (std::uint32_t page = 0; page < kLogical; ++page) execute(Op::write, page);
  const Counters before = drive.counters();
  for (std::uint32_t page = 0; page < kLogical; page += kEntries) execute(Op::trim, page);
  const Counters after = drive.counters();
  CHECK(after.trimmed_pages == 64);
  CHECK(after.mapping_pages_read - before.mapping_pages_read == 64);
  CHECK(after.media_mapping_bytes - before.media_mapping_bytes == 64 * kPage);
}

TEST_CASE("a trim or a read ends only when its part of the map has been loaded") {
  Drive drive(drive_with(pages(1, Eviction::lru), 100), Clock::untimed);
  Nanoseconds now{0};
  const auto execute = [&](Op op, std::uint32_t page) {
    const Request request{1, op, std::uint64_t{page} * kPage, kPage, now};
    drive.submit({&request, 1});
    Completion done;
    REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
    const Nanoseconds took = done.completed - now;
    now = done.completed + std::chrono::seconds(1);
    return std::pair{took, done.parts[static_cast<std::size_t>(LatencyPart::mapping)]};
  };
  for (std::uint32_t page = 0; page < kLogical; ++page) execute(Op::write, page);
  drive.set_clock(Clock::timed);
  now = drive.idle_from();
  const Nanoseconds read = drive.config().nand.read;
  for (const Op op : {Op::trim, Op::read}) {
    for (std::uint32_t page = 3; page < kLogical - 1; page += 7 * kEntries) {
      const auto [far, far_in_map] = execute(op, page);  // its translation page is in the flash
      CHECK(far >= read);
      CHECK(far_in_map >= read);
      CHECK(execute(op, page + 1).second == Nanoseconds{0});
    }
  }
}

// Nothing may enter the cache any longer, because evicted entries could not be written back.
TEST_CASE("a read-only drive reads map entries that are not in RAM from the flash each time") {
  for (const MapCacheConfig& cache : {pages(12, Eviction::lru), entries(900, Eviction::lru, true)}) {
    INFO(words(cache));
    DriveConfig config = drive_with(cache, 12);
    config.endurance.program_erase_limit = 6;
    config.ftl.failure_reserve = 1;
    config.ftl.gc.start_free = config.ftl.reserve(0);
    config.ftl.gc.stop_free = config.ftl.reserve(0) + 1;
    Drive drive(config, Clock::untimed);
    RandomStream random(5, "end");
    const auto execute = [&drive](Op op, std::uint32_t page) {
      const Request request{1, op, std::uint64_t{page} * kPage, kPage, Nanoseconds{0}};
      drive.submit({&request, 1});
      Completion done;
      REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
      return done.status;
    };
    for (int i = 0; i < 1'000'000 && !drive.ftl().read_only(); ++i)
      execute(Op::write, static_cast<std::uint32_t>(random.below(kLogical)));
    REQUIRE(drive.ftl().read_only());
    const Ftl& ftl = drive.ftl();
    int cached = 0, read = 0;
    for (int i = 0; i < 2'000; ++i) {
      const auto page = static_cast<std::uint32_t>(random.below(kLogical));
      const Ppn of_map = ftl.store().pages().map().find(Lpn{kLogical + page / kEntries});
      const bool in_ram = demand_map(ftl).cache().cached(page);
      const bool in_flash = of_map != kNoPpn && !ftl.store().pages().staged(of_map);
      const std::uint64_t before = drive.counters().mapping_pages_read;
      REQUIRE(execute(Op::read, page) == Status::ok);
      REQUIRE(drive.counters().mapping_pages_read - before == (!in_ram && in_flash));
      REQUIRE(demand_map(ftl).cache().cached(page) == in_ram);
      cached += in_ram;
      read += !in_ram && in_flash;
    }
    CHECK((cached > 50 && read > 50));
  }
}

TEST_CASE("collection changes no hits and misses of a demand map, but adds writes of translation pages") {
  for (const MapCacheConfig& cache : caches()) {
    INFO(words(cache));
    Pair pair(drive_with(cache, 12));
    pair.fill();
    pair.run(20'000, true);
    const Counters counters = pair.drive().counters();
    REQUIRE(counters.relocated_pages > 1'000);
    pair.require_same_hits();
    CHECK(demand_map(pair.drive().ftl()).pages_written() > pair.plain().pages_written);
    CHECK(counters.media_mapping_bytes >= demand_map(pair.drive().ftl()).pages_written() * kPage);
  }
}

// Entries of folded pages change in the flash like those of collected ones.
TEST_CASE("folding a pSLC cache changes no hits and misses of a demand map, but adds writes of translation pages") {
  for (const MapCacheConfig& cache : caches()) {
    INFO(words(cache));
    DriveConfig config = drive_with(cache, 1'200);
    config.nand.program_slc = Nanoseconds{200'000};
    config.ftl.slc = {20, 2, false, false};
    Pair pair(config);
    pair.fill();
    pair.run(20'000, true);
    const Drive& drive = pair.drive();
    const std::uint64_t folded = drive.ftl().collection().relocated(RelocationCause::folding).pages;
    REQUIRE(folded > 10'000);
    REQUIRE(drive.counters().relocated_pages == 0);
    pair.require_same_hits();
    const std::uint64_t added = demand_map(drive.ftl()).pages_written() - pair.plain().pages_written;
    CHECK((added > 0 && added <= folded));
    CHECK(inspect(drive.ftl()).empty());
  }
}

// The map is written much more often than data: its superblocks are erased most, and must not be the same ones every time.
TEST_CASE("a pSLC cache and the pages of a demand map wear all superblocks alike") {
  DriveConfig config = drive_with(pages(4, Eviction::lru), 40);
  config.geometry.pages_per_block /= 8;
  config.geometry.blocks_per_plane *= 8;
  config.nand.program_slc = Nanoseconds{200'000};
  config.ftl.slc = {20, 2, false, false};
  config.ftl.gc.start_free = 12;
  config.ftl.gc.stop_free = 16;
  config.endurance.program_erase_limit = 1'000'000;
  config.ftl.failure_reserve = 1;
  Drive drive(config, Clock::untimed);
  testing::fill(drive);
  testing::run(drive, "rw=randwrite\nbs=512\nnorandommap\nloops=40\n");
  const std::span<const std::uint32_t> erases = drive.medium().superblocks().erase_counts();
  const double mean = static_cast<double>(drive.medium().superblocks().erased()) / static_cast<double>(erases.size());
  REQUIRE(mean > 20);
  CHECK(*std::ranges::max_element(erases) < 1.5 * mean);
  CHECK(*std::ranges::min_element(erases) > mean / 1.5);
}

// Superblocks hold a quarter of the translation pages, so that writing all of them takes several victims.
TEST_CASE("idle time brings the map in the flash up to date") {
  for (const std::uint32_t spare : {22, 24, 28, 60}) {
    DriveConfig config = drive_with(pages(4, Eviction::lru), spare);
    config.geometry.pages_per_block /= 8;
    config.geometry.blocks_per_plane *= 8;
    config.nand.program_slc = Nanoseconds{200'000};
    config.ftl.slc = {160, 2, true, true};
    Drive drive(config, Clock::timed);
    testing::fill(drive);
    testing::run(drive, "rw=randwrite\nbs=512\nnorandommap\nnumber_ios=3000\n");
    const auto idle = [&drive] { testing::execute(drive, Op::read, 0, kPage, drive.idle_from() + testing::kLater); };
    const std::uint64_t busy = drive.counters().media_mapping_bytes;
    idle();
    const std::uint64_t before = drive.counters().media_mapping_bytes;
    CHECK(before > busy);
    testing::execute(drive, Op::write, 0, kPage, drive.idle_from());  // its entry is in RAM
    CHECK(drive.counters().media_mapping_bytes == before);
    CAPTURE(spare);
    CHECK(inspect(drive.ftl()).empty());
  }
}

TEST_CASE("collection disturbs the order of eviction only in a cache that prefers clean entries") {
  for (const Eviction eviction : {Eviction::lru, Eviction::segmented_lru, Eviction::fifo, Eviction::clean_first}) {
    for (MapCacheConfig cache : {pages(12, eviction), entries(900, eviction, true)}) {
      if (!cache.whole_pages) cache.prefetch_entries = 3;
      INFO(words(cache));
      Pair pair(drive_with(cache, 12));
      pair.fill();
      pair.run(20'000, true);
      REQUIRE(pair.drive().counters().relocated_pages > 1'000);
      CHECK((pair.drive().counters().mapping_hits == pair.alone().counts().hits) == (eviction != Eviction::clean_first));
    }
  }
}

TEST_CASE("host memory replaces reads of the flash, one for one, and changes nothing else") {
  for (const std::uint64_t host_pages : {1, 7, 20, 64}) {
    DriveConfig config = drive_with(pages(5, Eviction::lru), 12);
    Drive without(config, Clock::untimed);
    config.ftl.mapping.host_memory_bytes = host_pages * kPage;
    Drive with(config, Clock::untimed);
    for (Drive* const drive : {&without, &with}) {
      testing::run(*drive, "rw=write\nbs=16k\n");
      testing::run(*drive, "rw=randrw\nbs=" + std::to_string(kPage) +
                               "\nnorandommap\nio_size=" + std::to_string(kLogical * kPage) + "\n");
    }
    const Counters a = without.counters(), b = with.counters();
    CAPTURE(host_pages);
    CHECK(b.mapping_misses == a.mapping_misses);
    CHECK(b.media_mapping_bytes == a.media_mapping_bytes);
    CHECK(b.mapping_pages_from_host > 0);
    CHECK(b.mapping_pages_read + b.mapping_pages_from_host == a.mapping_pages_read);
    CHECK(demand_map(with.ftl()).host_memory().pages() <= host_pages);
  }
}

TEST_CASE("host memory keeps the latest map pages, and so does a saved drive") {
  HostMapCache cache(2, 10);
  for (const std::uint32_t page : {3, 4, 3, 5}) cache.put(page);
  CHECK(cache.pages() == 2);
  CHECK_FALSE(cache.fetch(4, true));
  CHECK(cache.fetch(3, true));
  CHECK(cache.fetch(3, false));
  CHECK_FALSE(cache.fetch(3, false));
  const HostMapCache::Traffic traffic = cache.take_traffic();
  CHECK((traffic.sent == 4 && traffic.fetched == 2));
  for (std::uint32_t i = 0; i < 10'000; ++i) cache.put(i % 2);  // a page put again is listed again
  CHECK(cache.pages() == 2);
  CHECK((cache.fetch(0, false) && cache.fetch(1, false)));
  CHECK(cache.pages() == 0);
}
