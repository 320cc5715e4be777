#include "ftl/mapping/map_cache.h"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "sim/core/archive.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using Eviction = MapCacheConfig::Eviction;

namespace {

constexpr std::uint32_t kEntries = 16;  // per translation page
constexpr std::uint32_t kLogical = 16 * 300 - 5;

MapCacheConfig pages(std::uint64_t capacity, Eviction eviction = Eviction::lru) {
  return {true, capacity * 64, 64, 8, kEntries, eviction, 8, true, 0};
}

MapCacheConfig entries(std::uint64_t capacity, Eviction eviction = Eviction::lru, bool batch = true,
                       std::uint32_t ahead = 0) {
  return {false, capacity * 8, 64, 8, kEntries, eviction, 8, batch, ahead};
}

// Reference cache, as simple as possible: lists from the oldest to the newest unit, searched linearly.
class PlainCache {
 public:
  PlainCache(const MapCacheConfig& config, std::uint32_t logical) : config_(config), logical_(logical) {
    const std::uint64_t units = config.whole_pages ? (logical + kEntries - 1) / kEntries : logical;
    capacity_ = std::min<std::uint64_t>(config.budget_bytes / (config.whole_pages ? 64 : 8), units);
  }

  bool access(std::uint32_t lpn, bool update, std::vector<std::uint32_t>& write_back) {
    const std::uint32_t unit = unit_of(lpn);
    const bool miss = dirty_.count(unit) == 0;
    if (miss) {
      load(unit, write_back);
    } else if (config_.eviction == Eviction::segmented_lru) {
      protect(unit);
    } else if (config_.eviction != Eviction::fifo) {
      probation_.remove(unit);
      probation_.push_back(unit);
    }
    if (update) dirty_[unit] = true;
    return miss;
  }

  bool update_if_cached(std::uint32_t lpn) {
    const auto found = dirty_.find(unit_of(lpn));
    if (found == dirty_.end()) return false;
    return found->second = true;
  }

  std::uint64_t units() const { return dirty_.size(); }
  std::uint64_t dirty_units() const {
    return std::count_if(dirty_.begin(), dirty_.end(), [](const auto& unit) { return unit.second; });
  }

 private:
  std::uint32_t unit_of(std::uint32_t lpn) const { return config_.whole_pages ? lpn / kEntries : lpn; }
  std::uint32_t page_of(std::uint32_t unit) const { return config_.whole_pages ? unit : unit / kEntries; }

  void load(std::uint32_t unit, std::vector<std::uint32_t>& write_back) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t n = config_.prefetch_entries; n > 0; --n) {
      const bool there = unit + n < logical_ && page_of(unit + n) == page_of(unit);
      if (there && dirty_.count(unit + n) == 0) wanted.push_back(unit + n);
    }
    wanted.push_back(unit);
    while (dirty_.size() + wanted.size() > capacity_) evict(write_back);
    for (const std::uint32_t u : wanted) {
      dirty_[u] = false;
      probation_.push_back(u);
    }
  }

  void evict(std::vector<std::uint32_t>& write_back) {
    auto& list = probation_.empty() ? protected_ : probation_;
    auto victim = list.begin();
    if (config_.eviction == Eviction::clean_first) {
      auto u = probation_.begin();
      for (std::uint32_t i = 0; i < config_.clean_window && u != probation_.end(); ++i, ++u) {
        if (dirty_[*u]) continue;
        victim = u;
        break;
      }
    }
    const std::uint32_t unit = *victim;
    if (dirty_[unit]) {
      write_back.push_back(page_of(unit));
      for (auto& [other, dirty] : dirty_) {
        if (config_.batch_write_back && page_of(other) == page_of(unit)) dirty = false;
      }
    }
    list.erase(victim);
    dirty_.erase(unit);
  }

  void protect(std::uint32_t unit) {
    probation_.remove(unit);
    protected_.remove(unit);
    protected_.push_back(unit);
    if (protected_.size() <= capacity_ / 2) return;
    probation_.push_back(protected_.front());
    protected_.pop_front();
  }

  MapCacheConfig config_;
  std::uint32_t logical_;
  std::uint64_t capacity_;
  std::list<std::uint32_t> probation_;
  std::list<std::uint32_t> protected_;
  std::map<std::uint32_t, bool> dirty_;  // by cached unit
};

enum class Stream { uniform, skewed, sequential };

std::uint32_t draw(Stream stream, std::uint32_t i, RandomStream& random) {
  if (stream == Stream::sequential) return i % kLogical;
  if (stream == Stream::uniform || random.chance(1, 5)) return static_cast<std::uint32_t>(random.below(kLogical));
  return static_cast<std::uint32_t>(random.below(40) * 97 % kLogical);  // four of five accesses go to 40 scattered pages
}

void compare(const MapCacheConfig& config, Stream stream, std::uint32_t accesses) {
  MapCache cache(config, kLogical);
  PlainCache plain(config, kLogical);
  RandomStream random(7, "map_cache_test");
  std::uint64_t misses = 0;
  std::uint64_t write_backs = 0;
  std::vector<std::uint32_t> got;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < accesses; ++i) {
    const std::uint32_t lpn = draw(stream, i, random);
    const bool update = random.chance(1, 3);
    got.clear();
    expected.clear();
    const MapCache::Work work = cache.access(lpn, update, got);
    const bool miss = plain.access(lpn, update, expected);
    if (random.chance(1, 4)) {
      const std::uint32_t moved = draw(Stream::skewed, i, random);
      if (cache.update_if_cached(moved) != plain.update_if_cached(moved)) FAIL("relocation differs at access " << i);
    }
    misses += miss;
    write_backs += expected.size();
    if (work.load != miss || work.load_page != lpn / kEntries || got != expected) FAIL("differs at access " << i);
    if (i % 1000 == 0) cache.inspect();
  }
  cache.inspect();
  CHECK(cache.counts().misses == misses);
  CHECK(cache.counts().hits == accesses - misses);
  CHECK(cache.counts().write_backs == write_backs);
  CHECK(cache.units() == plain.units());
  CHECK(cache.dirty_units() == plain.dirty_units());
}

std::vector<MapCacheConfig> all_configs(std::uint64_t capacity) {
  std::vector<MapCacheConfig> configs;
  for (const Eviction eviction : {Eviction::lru, Eviction::segmented_lru, Eviction::fifo, Eviction::clean_first}) {
    configs.push_back(pages(capacity, eviction));
    for (const bool batch : {false, true}) {
      for (const std::uint32_t ahead : {0u, 3u, 15u}) {
        if (ahead < capacity) configs.push_back(entries(capacity, eviction, batch, ahead));
      }
    }
  }
  return configs;
}

}  // namespace

TEST_CASE("a map cache equals a plain reference cache, access by access") {
  for (const MapCacheConfig& config : all_configs(16)) {
    CAPTURE(config.whole_pages, static_cast<int>(config.eviction), config.batch_write_back, config.prefetch_entries);
    for (const Stream stream : {Stream::uniform, Stream::skewed, Stream::sequential}) compare(config, stream, 20'000);
  }
}

TEST_CASE("a map cache with a third of all translation pages equals a plain reference cache") {
  for (const Eviction eviction : {Eviction::lru, Eviction::segmented_lru, Eviction::fifo, Eviction::clean_first}) {
    CAPTURE(static_cast<int>(eviction));
    compare(pages(100, eviction), Stream::uniform, 20'000);
  }
}

TEST_CASE("a map cache of one, two or three units equals a plain reference cache") {
  for (const std::uint64_t capacity : {1, 2, 3}) {
    for (const MapCacheConfig& config : all_configs(capacity)) {
      CAPTURE(capacity, config.whole_pages, static_cast<int>(config.eviction), config.prefetch_entries);
      for (const Stream stream : {Stream::uniform, Stream::skewed, Stream::sequential}) compare(config, stream, 5'000);
    }
  }
}

TEST_CASE("with a budget for everything each unit is loaded once and nothing is written back") {
  for (const MapCacheConfig& config : all_configs(1'000'000)) {
    if (config.prefetch_entries > 0) continue;  // loads ahead: fewer misses than units
    MapCache cache(config, kLogical);
    RandomStream random(3, "map_cache_test");
    std::set<std::uint32_t> touched;
    std::set<std::uint32_t> updated;
    std::vector<std::uint32_t> write_back;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      const std::uint32_t lpn = draw(Stream::skewed, i, random);
      const bool update = i % 2 == 0;
      cache.access(lpn, update, write_back);
      touched.insert(config.whole_pages ? lpn / kEntries : lpn);
      if (update) updated.insert(config.whole_pages ? lpn / kEntries : lpn);
    }
    CHECK(cache.counts().misses == touched.size());
    CHECK(cache.units() == touched.size());
    CHECK(cache.counts().evictions == 0);
    CHECK(write_back.empty());
    CHECK(cache.dirty_units() == updated.size());
  }
}

TEST_CASE("batch write-back cleans all entries of the victim's translation page, single write-back only one") {
  for (const bool batch : {true, false}) {
    MapCache cache(entries(4, Eviction::lru, batch), kLogical);
    std::vector<std::uint32_t> write_back;
    for (std::uint32_t lpn = 0; lpn < 4; ++lpn) cache.access(lpn, true, write_back);
    for (std::uint32_t lpn = 100; lpn < 104; ++lpn) cache.access(lpn, false, write_back);
    CHECK(write_back == std::vector<std::uint32_t>(batch ? 1 : 4, 0));
  }
}

TEST_CASE("a single scan does not evict units that were used twice from a segmented cache") {
  for (const Eviction eviction : {Eviction::lru, Eviction::segmented_lru}) {
    MapCache cache(entries(8, eviction), kLogical);
    std::vector<std::uint32_t> none;
    for (int twice = 0; twice < 2; ++twice) {
      for (std::uint32_t lpn = 0; lpn < 4; ++lpn) cache.access(lpn, false, none);
    }
    for (std::uint32_t lpn = 1000; lpn < 2000; ++lpn) cache.access(lpn, false, none);
    for (std::uint32_t lpn = 0; lpn < 4; ++lpn) CHECK(cache.cached(lpn) == (eviction == Eviction::segmented_lru));
  }
}

TEST_CASE("clean-first spares dirty units, but looks no further than its window") {
  MapCacheConfig config = entries(4, Eviction::clean_first);
  config.clean_window = 2;
  MapCache cache(config, kLogical);
  std::vector<std::uint32_t> write_back;
  cache.access(0, true, write_back);
  for (std::uint32_t lpn = 20; lpn <= 60; lpn += 20) cache.access(lpn, false, write_back);
  cache.access(80, false, write_back);  // 0 is dirty, so 20 is evicted
  CHECK(cache.cached(0));
  CHECK_FALSE(cache.cached(20));
  CHECK(cache.update_if_cached(40));
  cache.access(100, false, write_back);  // 0 and 40 are dirty, 60 is beyond the window
  CHECK_FALSE(cache.cached(0));
  CHECK(cache.cached(60));
  CHECK(write_back == std::vector<std::uint32_t>{0});
}

TEST_CASE("loading ahead ends at the end of the translation page and at the last logical page") {
  MapCache cache(entries(64, Eviction::lru, true, 40), kLogical);
  std::vector<std::uint32_t> none;
  cache.access(10, false, none);
  CHECK(cache.units() == 6);  // 10 to 15
  cache.access(kLogical - 2, false, none);
  CHECK(cache.units() == 8);
  CHECK(cache.cached(kLogical - 1));
}

TEST_CASE("relocation neither loads an entry nor makes it recently used") {
  MapCache cache(entries(2), kLogical);
  std::vector<std::uint32_t> write_back;
  cache.access(1, false, write_back);
  cache.access(50, false, write_back);
  CHECK(cache.update_if_cached(1));
  CHECK_FALSE(cache.update_if_cached(2));
  CHECK(cache.units() == 2);
  cache.access(90, false, write_back);  // 1 is still the oldest
  CHECK_FALSE(cache.cached(1));
  CHECK(write_back == std::vector<std::uint32_t>{0});
}

TEST_CASE("a budget that is too small is explained") {
  CHECK(MapCache::problem(pages(1), kLogical).empty());
  CHECK(MapCache::problem(entries(2, Eviction::lru, true, 1), kLogical).empty());
  MapCacheConfig config = pages(1);
  config.budget_bytes = 63;
  CHECK(MapCache::problem(config, kLogical) == "budget_bytes (63) must hold at least one translation page (64)");
  CHECK_THROWS_AS(MapCache(config, kLogical), CheckFailed);
  config.whole_pages = false;
  config.budget_bytes = 7;
  CHECK(MapCache::problem(config, kLogical) == "budget_bytes (7) must hold at least one entry (8)");
}

TEST_CASE("contradictory settings of a map cache are explained") {
  CHECK(MapCache::problem(entries(8, Eviction::lru, true, 8), kLogical) ==
        "prefetch_entries (8) must be fewer than the entries that fit into budget_bytes (8)");
  CHECK(MapCache::problem(pages(8), 0).find("at least 1") != std::string::npos);
  CHECK(MapCache::problem(pages(8), 0xffff'ffff).find("fewer than") != std::string::npos);
}

TEST_CASE("a map cache refuses pages beyond the map") {
  MapCache cache(pages(1), kLogical);
  std::vector<std::uint32_t> none;
  CHECK_THROWS_AS(cache.access(kLogical, false, none), CheckFailed);
  CHECK_THROWS_AS(cache.update_if_cached(kLogical), CheckFailed);
}

TEST_CASE("the last translation page of a map may hold one entry and still counts as a unit") {
  for (const std::uint32_t more : {0u, 1u, kEntries - 1}) {
    CAPTURE(more);
    const std::uint32_t logical = 4 * kEntries + more, units = more == 0 ? 4 : 5;
    MapCache cache(pages(100), logical);
    std::vector<std::uint32_t> none;
    for (std::uint32_t lpn = 0; lpn < logical; ++lpn) cache.access(lpn, true, none);
    CHECK(cache.units() == units);
    CHECK(cache.dirty_units() == units);
    CHECK(none.empty());
    CHECK(cache.holds(units - 1));
    CHECK_FALSE(cache.holds(units));
  }
}

TEST_CASE("a user policy may evict only cached units") {
  struct Always final : CachePolicy {
    explicit Always(std::uint32_t unit) : chosen(unit) {}
    void clear() override {}
    void loaded(std::uint32_t) override {}
    void hit(std::uint32_t) override {}
    std::uint32_t victim(const MapCache&) override { return chosen; }
    void evicted(std::uint32_t unit) override { gone.push_back(unit); }
    std::uint32_t chosen;
    std::vector<std::uint32_t> gone;
  };
  const auto evicts = [](std::uint32_t unit) {
    MapCacheConfig config = pages(2);
    const auto policy = std::make_shared<Always>(unit);
    config.own = policy;
    MapCache cache(config, 5 * kEntries);
    std::vector<std::uint32_t> write_back;
    for (const std::uint32_t page : {1, 3, 4}) cache.access(page * kEntries, false, write_back);
    return policy->gone;
  };
  CHECK(evicts(1) == std::vector<std::uint32_t>{1});
  CHECK(evicts(3) == std::vector<std::uint32_t>{3});
  for (const std::uint32_t absent : {0u, 2u, 4u, 5u, 0xffff'ffffu}) {
    CAPTURE(absent);
    CHECK_THROWS_AS(evicts(absent), CheckFailed);
  }
}

TEST_CASE("a map cache loaded from an archive behaves like the saved one") {
  for (const MapCacheConfig& config : {pages(9, Eviction::segmented_lru), entries(60, Eviction::segmented_lru)}) {
    MapCache saved(config, kLogical);
    MapCache loaded(config, kLogical);
    RandomStream random(5, "map_cache_test");
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
    for (std::uint32_t i = 0; i < 5'000; ++i) saved.access(draw(Stream::skewed, i, random), i % 3 == 0, a);
    Archive file = Archive::saving();
    saved.archive(file);
    Archive copy = Archive::loading(file.finish());
    loaded.archive(copy);
    copy.end();
    loaded.inspect();
    a.clear();
    for (std::uint32_t i = 0; i < 5'000; ++i) {
      const std::uint32_t lpn = draw(Stream::skewed, i, random);
      saved.access(lpn, i % 3 == 0, a);
      loaded.access(lpn, i % 3 == 0, b);
    }
    CHECK(a == b);
    CHECK(saved.counts().misses == loaded.counts().misses);
    CHECK(saved.counts().write_backs == loaded.counts().write_backs);
  }
}
