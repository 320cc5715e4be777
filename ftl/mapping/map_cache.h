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
  enum class Eviction : std::uint8_t {
    lru,
    segmented_lru,  // what is loaded is on probation; a hit protects half the capacity at most, the most recently used.
                    // The oldest on probation goes, or of the protected when none is: loading ahead makes much room
    fifo,           // the order of loading; hits do not count
    clean_first     // of the `clean_window` least recently used the first clean one, or else the very least recently used
  };
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
};

class MapCache {
 public:
  struct Work {
    bool load = false;  // a miss: the translation page is to be read, if it was ever written (the caller knows)
    std::uint32_t load_page = 0;
  };

  // REQUIRES: problem() finds no fault. Memory: 24 bytes for each unit that fits, 4 for each translation page, and for
  // single entries up to 32 for each that fits, but never more than 4 for each logical page.
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

  bool cached(std::uint32_t lpn) const { return find(unit_of(lpn)) != kNone; }
  bool holds(std::uint32_t unit) const;  // false too for a number that no unit has
  std::uint32_t page_of(std::uint32_t lpn) const { return lpn / entries_per_page_; }

  std::uint32_t units() const { return units_; }  // now here, at most all there are
  std::uint32_t dirty_units() const { return dirty_units_; }
  std::uint32_t translation_pages() const { return static_cast<std::uint32_t>(dirty_first_.size()); }
  std::uint64_t hits() const { return hits_; }      // of access() alone
  std::uint64_t misses() const { return misses_; }  // each is one load
  std::uint64_t evictions() const { return evictions_; }
  std::uint64_t write_backs() const { return write_backs_; }  // appended by access()

  // Checks the whole state against itself. O(capacity + index + translation pages).
  void inspect() const;

  // The configuration is no part of the state: an archive is loaded into a cache made from the same one.
  template <class A>
  void archive(A& archive) {
    archive.section("map_cache");
    archive.column(slots_);
    archive.column(direct_);
    archive.column(table_);
    archive.column(dirty_first_);
    archive.value(free_first_);
    archive.value(units_);
    archive.value(protected_units_);
    archive.value(dirty_units_);
    archive.value(hits_);
    archive.value(misses_);
    archive.value(evictions_);
    archive.value(write_backs_);
    archive.require(rules(), *this);
    if (archive.loading()) inspect();
    if (archive.loading()) report_user_policy();
  }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  // One unit that is here. Links are slot numbers. Six words, no padding: an archive hashes the bytes.
  struct Slot {
    std::uint32_t unit = kNone;  // translation page, or lpn of the entry; kNone: the slot is free
    std::uint32_t newer = kNone;
    std::uint32_t older = kNone;         // of a free slot: the next free one
    std::uint32_t dirty_before = kNone;  // among the dirty units of the same translation page
    std::uint32_t dirty_after = kNone;
    std::uint16_t dirty = 0;
    std::uint16_t is_protected = 0;
  };
  // A place of the hash table: open addressing, linear probing, at most half full, so that it needs no tombstones.
  struct Place {
    std::uint32_t unit = kNone;
    std::uint32_t slot = kNone;
  };

  friend struct LoadedStates;
  static std::span<const Rule<MapCache>> rules();
  bool leads_to_a_slot(std::uint32_t number) const { return number == kNone || number < slots_.size(); }
  std::uint32_t unit_of(std::uint32_t lpn) const { return config_.whole_pages ? lpn / entries_per_page_ : lpn; }
  std::uint32_t page_of_unit(std::uint32_t unit) const { return config_.whole_pages ? unit : unit / entries_per_page_; }

  // The index: from unit to slot. A direct column where that takes no more memory than a hash table.
  void make_index(std::uint32_t units_in_all);
  std::uint32_t home(std::uint32_t unit) const;
  std::uint32_t find(std::uint32_t unit) const;
  void add_to_index(std::uint32_t unit, std::uint32_t slot);
  void remove_from_index(std::uint32_t unit);

  // The order of eviction.
  std::uint32_t probation() const { return capacity_; }       // the ends of the two lists: slots without a unit,
  std::uint32_t protection() const { return capacity_ + 1; }  // whose older is the newest and newer the oldest
  void link_newest(std::uint32_t end, std::uint32_t slot);
  void unlink(std::uint32_t slot);
  void touch(std::uint32_t slot);
  void protect(std::uint32_t slot);
  std::uint32_t victim() const;
  std::uint32_t clean_victim() const;
  std::uint32_t own_victim() const;
  void report_user_policy() const;

  void insert(std::uint32_t unit);
  void evict(std::vector<std::uint32_t>& write_back);
  void load(std::uint32_t unit, std::vector<std::uint32_t>& write_back);
  void list_missing_after(std::uint32_t lpn);
  void make_dirty(std::uint32_t slot);
  void make_clean(std::uint32_t slot);
  void clean_page(std::uint32_t page);
  void inspect_list(std::uint32_t end, std::uint32_t length) const;
  void inspect_dirty() const;
  void inspect_free() const;

  MapCacheConfig config_;
  Divisor entries_per_page_;
  std::uint32_t logical_pages_;
  std::uint32_t capacity_;
  std::uint32_t hash_shift_ = 0;

  Column<Slot> slots_;            // capacity_, and the ends of the two lists
  Column<std::uint32_t> direct_;  // the index: one of the two, the other is empty
  Column<Place> table_;
  Column<std::uint32_t> dirty_first_;  // of each translation page
  std::uint32_t free_first_ = 0;
  std::uint32_t units_ = 0;
  std::uint32_t protected_units_ = 0;
  std::uint32_t dirty_units_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
  std::uint64_t evictions_ = 0;
  std::uint64_t write_backs_ = 0;

  std::vector<std::uint32_t> missing_;  // only within load()
  std::vector<std::uint32_t>* evicted_ = nullptr;
};

}  // namespace ftlab
