// Which part of a page map is in the controller's RAM, when the whole of it does not fit: the rest waits in translation
// pages in the flash, and is loaded on demand. Translation page t holds the entries of logical pages [t * n, (t + 1) * n).
// The class knows neither flash nor time nor a single entry's content; it answers what flash work an access costs.
//
//   Gupta, Kim, Urgaonkar, "DFTL: A Flash Translation Layer Employing Demand-based Selective Caching of Page-level Address
//   Mappings", ASPLOS 2009: single entries, segmented LRU, batch write-back. Qin, Wang, Liu, Guan, "A Two-Level Caching
//   Mechanism for Demand-Based Page-Level Address Mapping in NAND Flash Memory Storage Systems", RTAS 2011 (CDFTL): whole
//   pages. Zhou, Wu, Huang, He, Xie, "An Efficient Page-level FTL to Optimize Address Translation in Flash Memory", EuroSys
//   2015 (TPFTL): loading ahead, clean victims first.
// Not modelled: CDFTL's two levels at once; TPFTL's choice of how far to load ahead and its compressed entries.
//
// Cost: O(1), without allocation, save that a victim costs `clean_window` steps with clean_first, a miss one look-up for
// each entry loaded ahead, and a batch write-back one step for each entry that it cleans (each was dirtied once).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ftl/mapping/dirty_units.h"
#include "ftl/mapping/eviction_order.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/divisor.h"
#include "sim/core/rule.h"

namespace ftlab {

class MapCache;

// A choice of victims that the program around brings; told of all that enters, is used and leaves. Units are translation
// pages or single entries, by number, as the cache is configured. Its state is not saved with the drive: a cache that is
// loaded tells it anew what is here.
class CachePolicy {
 public:
  virtual ~CachePolicy() = default;
  virtual void clear() = 0;  // nothing is here: at the beginning, and after a power cut
  virtual void loaded(std::uint32_t unit) = 0;
  virtual void hit(std::uint32_t unit) = 0;
  // A unit that the cache holds; the caller checks the answer, then tells evicted().
  virtual std::uint32_t victim(const MapCache& cache) = 0;
  virtual void evicted(std::uint32_t unit) = 0;
};

struct MapCacheConfig {
  using Eviction = MapEviction;
  bool whole_pages = true;          // the unit of caching: whole translation pages, or single entries
  std::uint64_t budget_bytes = 0;   // of RAM, for as many units as fit in
  std::uint32_t page_bytes = 4096;  // of a translation page, in RAM and in flash
  std::uint32_t entry_bytes = 8;    // of a single entry in RAM: lpn and ppn
  std::uint32_t entries_per_page = 1024;
  Eviction eviction = Eviction::lru;
  std::uint32_t clean_window = 0;      // clean_first only
  bool batch_write_back = true;        // single entries: writing one back cleans all dirty entries of its translation page
  std::uint32_t prefetch_entries = 0;  // single entries: so many following entries are loaded too, within the page
  std::shared_ptr<CachePolicy> own = nullptr;  // chooses in the place of `eviction`; null: there is none

  std::uint64_t unit_bytes() const { return whole_pages ? page_bytes : entry_bytes; }
  std::uint64_t units_in_all(std::uint64_t logical_pages) const {
    return whole_pages ? (logical_pages + entries_per_page - 1) / entries_per_page : logical_pages;
  }
};

class MapCache {
 public:
  struct Work {
    bool load = false;  // a miss: the translation page is to be read, if it was ever written (the caller knows)
    std::uint32_t load_page = 0;
  };

  // REQUIRES: problem() finds no fault. Memory: 24 bytes for each unit that fits, 4 for each translation page and for each
  // unit in all.
  MapCache(const MapCacheConfig& config, std::uint64_t logical_pages);

  // Empty, or the sentence that says why these do not fit together.
  static std::string problem(const MapCacheConfig& config, std::uint64_t logical_pages);

  // Access to the entry of `lpn`; with `update` it becomes dirty. Room is made before anything is loaded: each dirty
  // victim's translation page is appended to `write_back` (single entries: without batch write-back perhaps more than once).
  // Of what is loaded ahead the farthest enters first, and `lpn` itself last. REQUIRES: lpn < logical pages.
  Work access(std::uint32_t lpn, bool update, std::vector<std::uint32_t>& write_back);

  // Appends the translation page of every unit that leaves to `pages` from now on. REQUIRES: it lives on.
  void record_evictions(std::vector<std::uint32_t>* pages) { evicted_ = pages; }

  // Relocation moved the page of `lpn`. True: its unit is here and now dirty, its recency unchanged. False: it is not here,
  // and the caller must update the translation page in the flash.
  bool update_if_cached(std::uint32_t lpn);

  bool cached(std::uint32_t lpn) const { return slot_[unit_of(lpn)] != kNone; }
  bool holds(std::uint32_t unit) const { return unit < slot_.size() && slot_[unit] != kNone; }
  std::uint32_t page_of(std::uint32_t lpn) const { return lpn / entries_per_page_; }
  std::uint32_t units() const { return order_.used(); }  // now here, at most all there are
  std::uint32_t dirty_units() const { return dirty_.count(); }

  struct Counts {
    std::uint64_t hits = 0;    // of access() alone
    std::uint64_t misses = 0;  // each is one load
    std::uint64_t evictions = 0;
    std::uint64_t write_backs = 0;  // appended by access()
  };
  const Counts& counts() const { return counts_; }

  // Checks the whole state against itself. O(capacity + units in all).
  void inspect() const;

  // The configuration is no part of the state: an archive is loaded into a cache made from the same one.
  template <class A>
  void archive(A& archive) {
    archive.section("map_cache");
    archive.column(unit_);
    archive.column(slot_);
    order_.archive(archive);
    dirty_.archive(archive);
    archive.value(counts_);
    archive.require(rules(), *this);
    if (!archive.loading()) return;
    inspect();
    report_user_policy();
  }

 private:
  friend struct LoadedStates;
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  static std::span<const Rule<MapCache>> rules();

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
  Column<std::uint32_t> unit_;  // by slot: translation page, or lpn of the entry; kNone: the slot is free
  Column<std::uint32_t> slot_;  // by unit; kNone: it is not here
  EvictionOrder order_;
  DirtyUnits dirty_;
  Counts counts_;
  std::vector<std::uint32_t> missing_;  // only within load()
  std::vector<std::uint32_t>* evicted_ = nullptr;
};

}  // namespace ftlab
