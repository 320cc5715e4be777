#include "ftl/mapping/map_cache.h"

#include <algorithm>

namespace ftlab {
namespace {

std::string with(const char* what, std::uint64_t value) { return std::string(what) + " (" + std::to_string(value) + ")"; }

}  // namespace

std::string MapCache::problem(const MapCacheConfig& config, std::uint64_t logical_pages) {
  if (logical_pages == 0 || logical_pages >= kNone)
    return with("logical pages", logical_pages) + " must be at least 1 and fewer than 4294967295";
  const std::uint64_t fitting = config.budget_bytes / config.unit_bytes();
  if (fitting == 0) {
    return with("budget_bytes", config.budget_bytes) + " must hold at least one " +
           with(config.whole_pages ? "translation page" : "entry", config.unit_bytes());
  }
  if (config.prefetch_entries >= fitting) {
    return with("prefetch_entries", config.prefetch_entries) + " must be fewer than the " +
           with("entries that fit into budget_bytes", fitting);
  }
  return {};
}

MapCache::MapCache(const MapCacheConfig& config, std::uint64_t logical_pages)
    : config_(config),
      entries_per_page_(config.entries_per_page),
      logical_pages_(static_cast<std::uint32_t>(logical_pages)),
      capacity_(static_cast<std::uint32_t>(
          std::min(config.budget_bytes / config.unit_bytes(), config.units_in_all(logical_pages)))),
      unit_(capacity_, kNone),
      slot_(config.units_in_all(logical_pages), kNone),
      order_(config.eviction, config.clean_window, capacity_),
      dirty_(capacity_, page_of(logical_pages_ - 1) + 1) {
  FTLAB_CHECK(problem(config, logical_pages).empty(), problem(config, logical_pages));
  report_user_policy();
}

void MapCache::report(void (CachePolicy::*event)(std::uint32_t), std::uint32_t unit) const {
  if (config_.own) (*config_.own.*event)(unit);
}

void MapCache::report_user_policy() const {
  if (!config_.own) return;
  config_.own->clear();
  order_.each_used([this](std::uint32_t slot) { config_.own->loaded(unit_[slot]); });
}

std::uint32_t MapCache::victim() const {
  if (!config_.own) return order_.victim([this](std::uint32_t slot) { return dirty_.has(slot); });
  const std::uint32_t unit = config_.own->victim(*this);
  FTLAB_CHECK(holds(unit), "a cache policy chose unit " + std::to_string(unit) + ", which is not in the map cache");
  return slot_[unit];
}

std::uint32_t MapCache::insert(std::uint32_t unit) {
  FTLAB_DCHECK(!holds(unit), "unit " + std::to_string(unit) + " is loaded twice");
  const std::uint32_t slot = order_.enter();
  unit_[slot] = unit;
  slot_[unit] = slot;
  report(&CachePolicy::loaded, unit);
  return slot;
}

void MapCache::evict(std::vector<std::uint32_t>& write_back) {
  const std::uint32_t slot = victim(), unit = unit_[slot], page = page_of_unit(unit);
  if (dirty_.has(slot)) {
    write_back.push_back(page);
    ++counts_.write_backs;
    dirty_.remove(slot, page);
    while (config_.batch_write_back && dirty_.first(page) != kNone) dirty_.remove(dirty_.first(page), page);
  }
  order_.leave(slot);
  unit_[slot] = slot_[unit] = kNone;
  ++counts_.evictions;
  report(&CachePolicy::evicted, unit);
  if (evicted_ != nullptr) evicted_->push_back(page);
}

// Lists the following entries of the same translation page that are not cached, nearest first.
void MapCache::list_missing_after(std::uint32_t lpn) {
  missing_.clear();
  const std::uint64_t page_end = (std::uint64_t{page_of(lpn)} + 1) * config_.entries_per_page;
  const std::uint64_t ahead = std::uint64_t{lpn} + 1 + config_.prefetch_entries;
  const std::uint64_t end = std::min({page_end, ahead, std::uint64_t{logical_pages_}});
  for (std::uint32_t next = lpn + 1; next < end; ++next) {
    if (!holds(next)) missing_.push_back(next);
  }
}

void MapCache::load(std::uint32_t unit, std::vector<std::uint32_t>& write_back) {
  if (config_.prefetch_entries > 0) list_missing_after(unit);
  FTLAB_DCHECK(missing_.size() < capacity_, "more is loaded ahead than the map cache holds");
  while (capacity_ - units() < missing_.size() + 1) evict(write_back);
  for (std::size_t i = missing_.size(); i-- > 0;) insert(missing_[i]);
  insert(unit);
}

MapCache::Work MapCache::access(std::uint32_t lpn, bool update, std::vector<std::uint32_t>& write_back) {
  FTLAB_CHECK(lpn < logical_pages_, "logical page " + std::to_string(lpn) + " is beyond the map");
  const std::uint32_t unit = unit_of(lpn);
  const bool miss = !holds(unit);
  if (miss) {
    load(unit, write_back);
    ++counts_.misses;
  } else {
    report(&CachePolicy::hit, unit);
    order_.touch(slot_[unit]);
    ++counts_.hits;
  }
  if (update) dirty_.add(slot_[unit], page_of_unit(unit));
  return {miss, page_of_unit(unit)};
}

bool MapCache::update_if_cached(std::uint32_t lpn) {
  FTLAB_CHECK(lpn < logical_pages_, "logical page " + std::to_string(lpn) + " is beyond the map");
  if (!cached(lpn)) return false;
  dirty_.add(slot_[unit_of(lpn)], page_of(lpn));
  return true;
}

void MapCache::inspect() const {
  order_.inspect();
  order_.each_used([this](std::uint32_t slot) {
    FTLAB_CHECK(holds(unit_[slot]) && slot_[unit_[slot]] == slot, "a unit of the map cache is not found in its slot");
  });
  dirty_.inspect([this](std::uint32_t slot) { return page_of_unit(unit_[slot]); });
  std::uint64_t indexed = 0;
  for (const std::uint32_t slot : slot_.view()) indexed += slot != kNone;
  FTLAB_CHECK(indexed == units(), "the index of the map cache knows units that are not there");
}

}  // namespace ftlab
