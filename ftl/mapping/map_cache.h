// Decides which part of a page map is in controller RAM if the whole map does not fit. The rest is in translation pages in
// flash and is loaded on demand. Translation page t holds the entries of logical pages [t * n, (t + 1) * n). The class knows
// nothing of flash, time or the content of entries; it returns the flash work that an access costs.
//
//   Gupta, Kim, Urgaonkar, "DFTL: A Flash Translation Layer Employing Demand-based Selective Caching of Page-level Address
//   Mappings", ASPLOS 2009: single entries, segmented LRU, batch write-back. Qin, Wang, Liu, Guan, "A Two-Level Caching
//   Mechanism for Demand-Based Page-Level Address Mapping in NAND Flash Memory Storage Systems", RTAS 2011 (CDFTL): whole
//   pages. Zhou, Wu, Huang, He, Xie, "An Efficient Page-level FTL to Optimize Address Translation in Flash Memory", EuroSys
//   2015 (TPFTL): loading ahead, clean victims first.
// Not modelled: CDFTL's two levels at once; TPFTL's choice of how far to load ahead and its compressed entries.
//
// Cost: O(1) without allocation, except that a victim costs `clean_window` steps with clean_first, a miss one look-up per
// entry loaded ahead, and a batch write-back one step per entry that it cleans (each was dirtied once).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ftl/mapping/dirty_units.h"
#include "ftl/mapping/eviction_order.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/divisor.h"

namespace ftlab {

class MapCache;

// A choice of victims supplied by the calling program, which is notified of all units that enter, are used and leave. Units
// are translation pages or single entries, by number, as configured. Its state is not saved with the drive: a loaded cache
// reports its units again.
class CachePolicy {
 public:
  virtual ~CachePolicy() = default;
  virtual void clear() = 0;  // the cache is empty: at the start, and after a power cut
  virtual void loaded(std::uint32_t unit) = 0;
  virtual void hit(std::uint32_t unit) = 0;
  // Returns a cached unit to evict. The caller checks it, then calls evicted().
  virtual std::uint32_t victim(const MapCache& cache) = 0;
  virtual void evicted(std::uint32_t unit) = 0;
};

struct MapCacheConfig {
  using Eviction = MapEviction;
  bool whole_pages = true;          // unit of caching: whole translation pages or single entries
  std::uint64_t budget_bytes = 0;   // RAM, for as many units as fit
  std::uint32_t page_bytes = 4096;  // size of a translation page, in RAM and in flash
  std::uint32_t entry_bytes = 8;    // size of a single entry in RAM: lpn and ppn
  std::uint32_t entries_per_page = 1024;
  Eviction eviction = Eviction::lru;
  std::uint32_t clean_window = 0;      // clean_first only
  bool batch_write_back = true;        // single entries: writing one back cleans all dirty entries of its translation page
  std::uint32_t prefetch_entries = 0;  // single entries: this many following entries of the page are also loaded
  std::shared_ptr<CachePolicy> own = nullptr;  // chooses instead of `eviction`; null if unused

  std::uint64_t unit_bytes() const { return whole_pages ? page_bytes : entry_bytes; }
  std::uint64_t units_in_all(std::uint64_t logical_pages) const {
    return whole_pages ? (logical_pages + entries_per_page - 1) / entries_per_page : logical_pages;
  }
};

class MapCache {
 public:
  struct Work {
    bool load = false;  // miss: the translation page must be read if it was ever written (the caller knows)
    std::uint32_t load_page = 0;
  };

  // REQUIRES: problem() is empty. Memory: 24 bytes per unit that fits, 4 per translation page and per unit of the whole map.
  MapCache(const MapCacheConfig& config, std::uint64_t logical_pages);

  // Empty, or a sentence that explains why these do not fit together.
  static std::string problem(const MapCacheConfig& config, std::uint64_t logical_pages);

  // Accesses the entry of `lpn`; `update` makes it dirty. Room is made before anything is loaded: the translation page of
  // each dirty victim is appended to `write_back` (single entries without batch write-back: perhaps more than once). Entries
  // loaded ahead enter farthest first, and `lpn` itself last. REQUIRES: lpn < logical pages.
  Work access(std::uint32_t lpn, bool update, std::vector<std::uint32_t>& write_back);

  // From now on appends the translation page of every evicted unit to `pages`. REQUIRES: `pages` outlives this.
  void record_evictions(std::vector<std::uint32_t>* pages) { evicted_ = pages; }

  // Call when relocation moved the page of `lpn`. True: its unit is cached and now dirty, its recency unchanged. False: it
  // is not cached, and the caller must update the translation page in flash.
  bool update_if_cached(std::uint32_t lpn);

  bool cached(std::uint32_t lpn) const { return slot_[unit_of(lpn)] != kNone; }
  bool holds(std::uint32_t unit) const { return unit < slot_.size() && slot_[unit] != kNone; }
  std::uint32_t page_of(std::uint32_t lpn) const { return lpn / entries_per_page_; }
  std::uint32_t units() const { return order_.used(); }  // cached now
  std::uint32_t dirty_units() const { return dirty_.count(); }

  struct Counts {
    std::uint64_t hits = 0;    // access() only
    std::uint64_t misses = 0;  // each is one load
    std::uint64_t evictions = 0;
    std::uint64_t write_backs = 0;  // appended by access()
  };
  const Counts& counts() const { return counts_; }

  // Checks the whole state for consistency. O(capacity + units of the map).
  void inspect() const;

  // The configuration is not archived: load into a cache made from the same configuration.
  template <class A>
  void archive(A& archive) {
    archive.section("map_cache");
    archive.column(unit_);
    archive.column(slot_);
    order_.archive(archive);
    dirty_.archive(archive);
    archive.value(counts_);
    if (!archive.loading()) return;
    inspect();
    report_user_policy();
  }

 private:
  friend struct BrokenDrive;
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  std::uint32_t unit_of(std::uint32_t lpn) const { return config_.whole_pages ? page_of(lpn) : lpn; }
  std::uint32_t page_of_unit(std::uint32_t unit) const { return config_.whole_pages ? unit : page_of(unit); }
  void report(void (CachePolicy::*event)(std::uint32_t), std::uint32_t unit) const;
  void report_user_policy() const;
  std::uint32_t victim() const;
  void load(std::uint32_t unit, std::vector<std::uint32_t>& write_back);
  void list_missing_after(std::uint32_t lpn);
  std::uint32_t insert(std::uint32_t unit);
  void evict(std::vector<std::uint32_t>& write_back);

  MapCacheConfig config_;
  Divisor entries_per_page_;
  std::uint32_t logical_pages_;
  std::uint32_t capacity_;
  Column<std::uint32_t> unit_;  // by slot: translation page, or lpn of the entry; kNone: free slot
  Column<std::uint32_t> slot_;  // by unit; kNone: not cached
  EvictionOrder order_;
  DirtyUnits dirty_;
  Counts counts_;
  std::vector<std::uint32_t> missing_;  // used only in load()
  std::vector<std::uint32_t>* evicted_ = nullptr;
};

}  // namespace ftlab
