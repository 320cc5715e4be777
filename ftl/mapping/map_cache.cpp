#include "ftl/mapping/map_cache.h"

#include <algorithm>
#include <bit>

namespace ftlab {
namespace {

std::string with(const char* what, std::uint64_t value) { return std::string(what) + " (" + std::to_string(value) + ")"; }

std::uint64_t unit_bytes(const MapCacheConfig& config) {
  return config.whole_pages ? config.page_bytes : config.entry_bytes;
}

std::uint64_t units_in_all(const MapCacheConfig& config, std::uint64_t logical_pages) {
  if (!config.whole_pages) return logical_pages;
  return (logical_pages + config.entries_per_page - 1) / config.entries_per_page;
}

}  // namespace

std::string MapCache::problem(const MapCacheConfig& config, std::uint64_t logical_pages) {
  if (logical_pages == 0 || logical_pages >= kNone) {
    return with("logical pages", logical_pages) + " must be at least 1 and fewer than 4294967295";
  }
  if (config.entries_per_page == 0) return "entries_per_page must be at least 1";
  if (unit_bytes(config) == 0) return std::string(config.whole_pages ? "page_bytes" : "entry_bytes") + " must be at least 1";
  const std::uint64_t fitting = config.budget_bytes / unit_bytes(config);
  if (fitting == 0) {
    return with("budget_bytes", config.budget_bytes) + " must hold at least one " +
           with(config.whole_pages ? "translation page" : "entry", unit_bytes(config));
  }
  if (config.eviction == MapCacheConfig::Eviction::clean_first && config.clean_window == 0) {
    return "clean_window must be at least 1 with clean_first";
  }
  if (config.whole_pages && config.prefetch_entries > 0) {
    return with("prefetch_entries", config.prefetch_entries) + " has no meaning for whole translation pages";
  }
  if (config.prefetch_entries >= fitting) {
    return with("prefetch_entries", config.prefetch_entries) + " must be fewer than the " +
           with("entries that fit into budget_bytes", fitting);
  }
  return {};
}

MapCache::MapCache(const MapCacheConfig& config, std::uint64_t logical_pages)
    : config_(config), logical_pages_(static_cast<std::uint32_t>(logical_pages)) {
  FTLAB_CHECK(problem(config, logical_pages).empty(), problem(config, logical_pages));
  entries_per_page_ = Divisor(config.entries_per_page);
  const std::uint64_t all = units_in_all(config, logical_pages);
  capacity_ = static_cast<std::uint32_t>(std::min(config.budget_bytes / unit_bytes(config), all));
  make_index(static_cast<std::uint32_t>(all));
  slots_ = Column<Slot>(std::size_t{capacity_} + 2);
  for (std::uint32_t s = 0; s + 1 < capacity_; ++s) slots_[s].older = s + 1;
  for (const std::uint32_t end : {probation(), protection()}) slots_[end].newer = slots_[end].older = end;
  dirty_first_ = Column<std::uint32_t>(page_of(logical_pages_ - 1) + std::size_t{1}, kNone);
  report_user_policy();
}

// From the one that would be evicted first on: on probation, then protected.
void MapCache::report_user_policy() const {
  if (!config_.own) return;
  config_.own->clear();
  for (const std::uint32_t end : {probation(), protection()}) {
    for (std::uint32_t slot = slots_[end].newer; slot != end; slot = slots_[slot].newer)
      config_.own->loaded(slots_[slot].unit);
  }
}

void MapCache::make_index(std::uint32_t units_in_all) {
  const std::uint64_t places = std::max<std::uint64_t>(std::bit_ceil(2 * std::uint64_t{capacity_}), 2);
  if (units_in_all <= 2 * places) {
    direct_ = Column<std::uint32_t>(units_in_all, kNone);
  } else {
    table_ = Column<Place>(places);
    hash_shift_ = static_cast<std::uint32_t>(64 - std::bit_width(places - 1));
  }
}

std::span<const Rule<MapCache>> MapCache::rules() {
  static constexpr Rule<MapCache> kRules[] = {
      {"more units are here than fit.", [](const MapCache& cache) { return cache.units_ <= cache.capacity_; }},
      {"more units are protected, or dirty, than are here.",
       [](const MapCache& cache) { return cache.protected_units_ <= cache.units_ && cache.dirty_units_ <= cache.units_; }},
      {"an entry leads to one that does not exist.",
       [](const MapCache& cache) {
         const auto slot = [&](std::uint32_t number) { return cache.leads_to_a_slot(number); };
         return slot(cache.free_first_) && each(cache.slots_, [&](const Slot& one) {
                  return slot(one.newer) && slot(one.older) && slot(one.dirty_before) && slot(one.dirty_after);
                });
       }},
      {"an entry is of a page that does not exist.",
       [](const MapCache& cache) {
         const std::uint64_t units = cache.config_.whole_pages ? cache.dirty_first_.size() : cache.logical_pages_;
         return each(cache.slots_, [units](const Slot& one) { return one.unit == kNone || one.unit < units; });
       }},
      {"an entry, or the end of a list, has no neighbour.",
       [](const MapCache& cache) {
         return each(cache.slots_, [&](const Slot& one) {
           const bool listed = one.unit != kNone || &one >= &cache.slots_[cache.probation()];
           return !listed || (one.newer != kNone && one.older != kNone);
         });
       }},
      {"the index leads to an entry that does not exist.",
       [](const MapCache& cache) {
         const auto slot = [&](std::uint32_t number) { return cache.leads_to_a_slot(number); };
         return each(cache.direct_, slot) && each(cache.table_, [&](const Place& place) { return slot(place.slot); });
       }},
      {"a list of dirty entries begins with one that does not exist.",
       [](const MapCache& cache) {
         return each(cache.dirty_first_, [&](std::uint32_t number) { return cache.leads_to_a_slot(number); });
       }},
      {"the index is full.",  // a search ends at the first place that is free
       [](const MapCache& cache) {
         return cache.table_.size() == 0 || !each(cache.table_, [](const Place& place) { return place.unit != kNone; });
       }},
  };
  return kRules;
}

// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): neighbours in number are spread far apart.
std::uint32_t MapCache::home(std::uint32_t unit) const {
  return static_cast<std::uint32_t>((unit * 0x9e37'79b9'7f4a'7c15) >> hash_shift_);
}

std::uint32_t MapCache::find(std::uint32_t unit) const {
  if (direct_.size() > 0) return direct_[unit];
  const std::uint32_t mask = static_cast<std::uint32_t>(table_.size() - 1);
  for (std::uint32_t p = home(unit);; p = (p + 1) & mask) {
    if (table_[p].unit == unit || table_[p].unit == kNone) return table_[p].slot;
  }
}

void MapCache::add_to_index(std::uint32_t unit, std::uint32_t slot) {
  if (direct_.size() > 0) {
    direct_[unit] = slot;
    return;
  }
  const std::uint32_t mask = static_cast<std::uint32_t>(table_.size() - 1);
  std::uint32_t p = home(unit);
  while (table_[p].unit != kNone) p = (p + 1) & mask;
  table_[p] = {unit, slot};
}

// Whatever stands behind the gap without interruption, and could have stood in it, moves up.
void MapCache::remove_from_index(std::uint32_t unit) {
  if (direct_.size() > 0) {
    direct_[unit] = kNone;
    return;
  }
  const std::uint32_t mask = static_cast<std::uint32_t>(table_.size() - 1);
  std::uint32_t gap = home(unit);
  while (table_[gap].unit != unit) gap = (gap + 1) & mask;
  for (std::uint32_t p = (gap + 1) & mask; table_[p].unit != kNone; p = (p + 1) & mask) {
    const std::uint32_t distance = (p - home(table_[p].unit)) & mask;
    if (distance < ((p - gap) & mask)) continue;
    table_[gap] = table_[p];
    gap = p;
  }
  table_[gap] = {};
}

void MapCache::link_newest(std::uint32_t end, std::uint32_t slot) {
  const std::uint32_t newest = slots_[end].older;
  slots_[slot].newer = end;
  slots_[slot].older = newest;
  slots_[newest].newer = slot;
  slots_[end].older = slot;
}

void MapCache::unlink(std::uint32_t slot) {
  const Slot& s = slots_[slot];
  slots_[s.newer].older = s.older;
  slots_[s.older].newer = s.newer;
}

// A hit.
void MapCache::touch(std::uint32_t slot) {
  if (config_.own) config_.own->hit(slots_[slot].unit);
  if (config_.eviction == MapCacheConfig::Eviction::fifo) return;
  if (config_.eviction == MapCacheConfig::Eviction::segmented_lru) return protect(slot);
  unlink(slot);
  link_newest(probation(), slot);
}

// The unit becomes the newest protected one; the oldest beyond half the capacity is on probation again, as its newest.
void MapCache::protect(std::uint32_t slot) {
  unlink(slot);
  link_newest(protection(), slot);
  if (slots_[slot].is_protected != 0) return;
  slots_[slot].is_protected = 1;
  if (++protected_units_ <= capacity_ / 2) return;
  const std::uint32_t oldest = slots_[protection()].newer;
  unlink(oldest);
  link_newest(probation(), oldest);
  slots_[oldest].is_protected = 0;
  --protected_units_;
}

bool MapCache::holds(std::uint32_t unit) const {
  return unit < units_in_all(config_, logical_pages_) && find(unit) != kNone;
}

std::uint32_t MapCache::own_victim() const {
  const std::uint32_t unit = config_.own->victim(*this);
  FTLAB_CHECK(holds(unit), "a cache policy chose unit " + std::to_string(unit) + ", which is not in the map cache");
  return find(unit);
}

std::uint32_t MapCache::victim() const {
  if (config_.own) return own_victim();
  if (config_.eviction == MapCacheConfig::Eviction::clean_first) return clean_victim();
  const std::uint32_t oldest = slots_[probation()].newer;
  return oldest != probation() ? oldest : slots_[protection()].newer;
}

std::uint32_t MapCache::clean_victim() const {
  std::uint32_t slot = slots_[probation()].newer;
  for (std::uint32_t step = 0; step < config_.clean_window && slot != probation(); ++step) {
    if (slots_[slot].dirty == 0) return slot;
    slot = slots_[slot].newer;
  }
  return slots_[probation()].newer;
}

void MapCache::insert(std::uint32_t unit) {
  const std::uint32_t slot = free_first_;
  FTLAB_CHECK(units_ < capacity_, "an entry is loaded into a map cache that is full");
  free_first_ = slots_[slot].older;
  slots_[slot].unit = unit;
  link_newest(probation(), slot);
  add_to_index(unit, slot);
  ++units_;
  if (config_.own) config_.own->loaded(unit);
}

void MapCache::evict(std::vector<std::uint32_t>& write_back) {
  const std::uint32_t slot = victim();
  FTLAB_CHECK(slot < capacity_, "nothing in the map cache can be evicted");
  const std::uint32_t unit = slots_[slot].unit;
  if (slots_[slot].dirty != 0) {
    write_back.push_back(page_of_unit(unit));
    ++write_backs_;
    config_.batch_write_back ? clean_page(page_of_unit(unit)) : make_clean(slot);
  }
  unlink(slot);
  protected_units_ -= slots_[slot].is_protected;
  remove_from_index(unit);
  slots_[slot] = {};
  slots_[slot].older = free_first_;
  free_first_ = slot;
  --units_;
  ++evictions_;
  if (config_.own) config_.own->evicted(unit);
  if (evicted_ != nullptr) evicted_->push_back(page_of_unit(unit));
}

// Following entries of the same translation page that are not here, from the nearest.
void MapCache::list_missing_after(std::uint32_t lpn) {
  missing_.clear();
  const std::uint64_t page_end = (std::uint64_t{page_of(lpn)} + 1) * config_.entries_per_page;
  const std::uint64_t ahead = std::uint64_t{lpn} + 1 + config_.prefetch_entries;
  const std::uint64_t end = std::min({page_end, ahead, std::uint64_t{logical_pages_}});
  for (std::uint32_t next = lpn + 1; next < end; ++next) {
    if (find(next) == kNone) missing_.push_back(next);
  }
}

void MapCache::load(std::uint32_t unit, std::vector<std::uint32_t>& write_back) {
  missing_.clear();
  if (config_.prefetch_entries > 0) list_missing_after(unit);
  while (capacity_ - units_ < missing_.size() + 1) evict(write_back);
  for (std::size_t i = missing_.size(); i-- > 0;) insert(missing_[i]);
  insert(unit);
}

MapCache::Work MapCache::access(std::uint32_t lpn, bool update, std::vector<std::uint32_t>& write_back) {
  FTLAB_CHECK(lpn < logical_pages_, "logical page " + std::to_string(lpn) + " is beyond the map");
  const std::uint32_t unit = unit_of(lpn);
  std::uint32_t slot = find(unit);
  const bool miss = slot == kNone;
  if (miss) {
    load(unit, write_back);
    slot = slots_[probation()].older;
    ++misses_;
  } else {
    touch(slot);
    ++hits_;
  }
  if (update) make_dirty(slot);
  return {miss, page_of_unit(unit)};
}

bool MapCache::update_if_cached(std::uint32_t lpn) {
  FTLAB_CHECK(lpn < logical_pages_, "logical page " + std::to_string(lpn) + " is beyond the map");
  const std::uint32_t slot = find(unit_of(lpn));
  if (slot == kNone) return false;
  make_dirty(slot);
  return true;
}

void MapCache::make_dirty(std::uint32_t slot) {
  Slot& s = slots_[slot];
  if (s.dirty != 0) return;
  std::uint32_t& first = dirty_first_[page_of_unit(s.unit)];
  s.dirty = 1;
  s.dirty_before = kNone;
  s.dirty_after = first;
  if (first != kNone) slots_[first].dirty_before = slot;
  first = slot;
  ++dirty_units_;
}

void MapCache::make_clean(std::uint32_t slot) {
  Slot& s = slots_[slot];
  if (s.dirty_before == kNone) {
    dirty_first_[page_of_unit(s.unit)] = s.dirty_after;
  } else {
    slots_[s.dirty_before].dirty_after = s.dirty_after;
  }
  if (s.dirty_after != kNone) slots_[s.dirty_after].dirty_before = s.dirty_before;
  s.dirty_before = s.dirty_after = kNone;
  s.dirty = 0;
  --dirty_units_;
}

void MapCache::clean_page(std::uint32_t page) {
  while (dirty_first_[page] != kNone) make_clean(dirty_first_[page]);
}

void MapCache::inspect_list(std::uint32_t end, std::uint32_t length) const {
  std::uint32_t count = 0;
  for (std::uint32_t slot = slots_[end].newer; slot != end; slot = slots_[slot].newer, ++count) {
    const Slot& s = slots_[slot];
    FTLAB_CHECK(slot < capacity_ && count < length && s.unit != kNone, "a list of the map cache holds more than its units");
    FTLAB_CHECK(slots_[s.older].newer == slot, "a list of the map cache is torn");
    FTLAB_CHECK((s.is_protected != 0) == (end == protection()), "a unit stands in the wrong list of the map cache");
    FTLAB_CHECK(find(s.unit) == slot, "a unit of the map cache is not found in its slot");
  }
  FTLAB_CHECK(count == length, "a list of the map cache has lost units");
}

void MapCache::inspect_dirty() const {
  std::uint32_t count = 0;
  for (std::uint32_t page = 0; page < translation_pages(); ++page) {
    std::uint32_t before = kNone;
    for (std::uint32_t slot = dirty_first_[page]; slot != kNone; slot = slots_[slot].dirty_after, ++count) {
      FTLAB_CHECK(count < dirty_units_ && slots_[slot].dirty != 0, "more dirty units are listed than were made dirty");
      FTLAB_CHECK(page_of_unit(slots_[slot].unit) == page, "a dirty unit is listed under another translation page");
      FTLAB_CHECK(slots_[slot].dirty_before == before, "a list of dirty units is torn");
      before = slot;
    }
  }
  FTLAB_CHECK(count == dirty_units_, "a dirty unit belongs to no translation page");
  std::uint32_t dirty = 0;
  for (const Slot& slot : slots_.view()) dirty += slot.dirty != 0;
  FTLAB_CHECK(dirty == dirty_units_, "a dirty unit is not listed");
}

void MapCache::inspect_free() const {
  std::uint32_t count = units_;
  for (std::uint32_t slot = free_first_; slot != kNone; slot = slots_[slot].older, ++count)
    FTLAB_CHECK(count < capacity_ && slot < capacity_ && slots_[slot].unit == kNone, "a slot that is free is taken");
  FTLAB_CHECK(count == capacity_, "a slot is neither free nor taken");
}

void MapCache::inspect() const {
  FTLAB_CHECK(units_ <= capacity_ && protected_units_ <= capacity_ / 2, "the map cache holds more than its budget");
  inspect_list(probation(), units_ - protected_units_);
  inspect_list(protection(), protected_units_);
  inspect_dirty();
  inspect_free();
  std::uint64_t indexed = 0;
  for (const std::uint32_t slot : direct_.view()) indexed += slot != kNone;
  for (const Place& place : table_.view()) indexed += place.unit != kNone;
  FTLAB_CHECK(indexed == units_, "the index of the map cache knows units that are not there");
}

}  // namespace ftlab
