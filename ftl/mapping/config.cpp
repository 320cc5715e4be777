#include "ftl/mapping/config.h"

#include "sim/config/keys.h"

namespace ftlab {
namespace {

using Scheme = MappingConfig::Scheme;

constexpr std::uint64_t kMostRam = std::uint64_t{1} << 40;
constexpr const char *kRamMeaning = "RAM of the map cache or the extents",
                     *kEntryMeaning = "RAM of a cached entry or an extent";
constexpr std::uint32_t kFlashEntryBytes = 4;  // a PPN in a translation page

void read_demand(Reader& reader, MappingConfig& mapping, std::uint32_t page_bytes, std::uint64_t logical_pages) {
  MapCacheConfig& cache = mapping.cache;
  read_sourced(reader, "ram_bytes", mapping.ram_bytes, 1, kMostRam, kRamMeaning);
  cache.budget_bytes = mapping.ram_bytes;
  cache.page_bytes = page_bytes;
  cache.entries_per_page = page_bytes / kFlashEntryBytes;
  bool entries = false;
  read_choice(reader, "cache_unit", entries, {"page", "entry"}, "what the map cache holds");
  cache.whole_pages = !entries;
  read_choice(reader, "eviction", cache.eviction, {"lru", "segmented-lru", "fifo", "clean-first"}, "what leaves the cache");
  if (cache.eviction == MapCacheConfig::Eviction::clean_first)
    read_integer(reader, "clean_window", cache.clean_window, 1, 1 << 20, "clean-first: candidates looked at");
  if (entries) {
    read_integer(reader, "entry_bytes", cache.entry_bytes, 4, 64, kEntryMeaning);
    read_boolean(reader, "batch_write_back", cache.batch_write_back,
                 "entry cache: write all dirty entries of a translation page together");
    read_integer(reader, "prefetch_entries", cache.prefetch_entries, 0, cache.entries_per_page - 1, "neighbours loaded too");
  }
  if (entries && reader.has("host_memory_bytes"))
    reader.refuse("host_memory_bytes", "holds whole translation pages", "with cache_unit page");
  read_sourced_or(reader, "host_memory_bytes", mapping.host_memory_bytes, page_bytes, kMostRam,
                  "demand map: of the host's memory, for pages of the map that leave the RAM (NVMe host memory buffer)");
  if (logical_pages == 0) return;  // the user space could not be read, so its needs are unknown
  const std::string problem = MapCache::problem(cache, logical_pages);
  if (!problem.empty()) reader.refuse("ram_bytes", problem);
  const std::uint64_t pages = (logical_pages + cache.entries_per_page - 1) / cache.entries_per_page;
  const std::uint64_t units = cache.whole_pages ? pages : logical_pages;
  const std::uint64_t unit_bytes = cache.whole_pages ? page_bytes : cache.entry_bytes;
  if (cache.budget_bytes / unit_bytes < units) mapping.translation_pages = static_cast<std::uint32_t>(pages);
  if (mapping.host_memory_bytes > 0 && mapping.translation_pages == 0)
    reader.refuse("host_memory_bytes", "has nothing to hold: the whole map fits into ram_bytes", "smaller ram_bytes");
}

void read_extents(Reader& reader, MappingConfig& mapping, std::uint64_t logical_pages) {
  std::uint64_t entry_bytes = 0;
  ExtentConfig& extents = mapping.extents;
  read_sourced(reader, "ram_bytes", mapping.ram_bytes, 1, kMostRam, kRamMeaning);
  read_sourced(reader, "entry_bytes", entry_bytes, 4, 64, kEntryMeaning);
  read_sourced(reader, "region_pages", extents.region_pages, 2, 1 << 20, "extent map: pages of a region");
  read_integer(reader, "start_permille", extents.start_permille, 1, 1000, "entries in use at which defragmentation starts");
  extents.stop_permille = extents.start_permille;
  read_integer_or(reader, "stop_permille", extents.stop_permille, 1, extents.start_permille, "and below which it stops");
  read_integer(reader, "pages_per_host_write", extents.pages_per_host_write, 0, 1 << 20, "pages defragmented per host page");
  read_boolean_or(reader, "fill_holes", extents.fill_holes, "defragmentation stores holes as zeros");
  extents.entries = mapping.ram_bytes / entry_bytes;
  // Each region may need one entry at rest, and two more while a write splits it.
  const std::uint64_t regions = (logical_pages + extents.region_pages - 1) / extents.region_pages;
  if (extents.entries < 3 * regions) {
    reader.refuse("ram_bytes",
                  "holds " + std::to_string(extents.entries) + " extents of " + std::to_string(entry_bytes) + " bytes; " +
                      std::to_string(regions) + " regions of " + std::to_string(extents.region_pages) +
                      " pages need three each",
                  "at least " + std::to_string(3 * regions * entry_bytes));
  }
}

void read_zones(Reader& reader, ZonesConfig& zones) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  read_sourced(reader, "zone_capacity_bytes", zones.capacity_bytes, kSectorBytes, kMost, "whole superblocks");
  zones.zone_bytes = zones.capacity_bytes;
  read_sourced_or(reader, "zone_bytes", zones.zone_bytes, zones.capacity_bytes, kMost,
                  "distance of zones; left out: their capacity");
  read_sourced(reader, "active_zones", zones.most_active, 1, kMostLogSuperblocks,
               "zones that hold data and have room left");
  zones.most_open = zones.most_active;
  read_sourced_or(reader, "open_zones", zones.most_open, 1, zones.most_active, "of these, open; left out: all");
}

}  // namespace

MappingConfig read_mapping(Reader reader, std::uint64_t user_bytes, std::uint32_t& mapping_bytes) {
  MappingConfig mapping;
  read_choice(reader, "scheme", mapping.scheme, {"page", "demand", "extent", "block", "bast", "fast", "zoned"}, "kind of map");
  read_sourced(reader, "page_bytes", mapping_bytes, kSectorBytes, 1 << 24, "mapping page: the unit of the map");
  const std::uint64_t logical_pages = (user_bytes + mapping_bytes - 1) / mapping_bytes;
  if (mapping.scheme == Scheme::demand) read_demand(reader, mapping, mapping_bytes, logical_pages);
  if (mapping.scheme == Scheme::extent) read_extents(reader, mapping, logical_pages);
  if (mapping.scheme == Scheme::zoned) read_zones(reader, mapping.zones);
  if (mapping.merges()) {
    const std::uint64_t least = mapping.scheme == Scheme::fast ? 2 : 1;  // FAST: one for sequential, one for other writes
    read_integer(reader, "log_superblocks", mapping.log_superblocks, least, kMostLogSuperblocks, "superblocks of the log");
  }
  reader.finish();
  return mapping;
}

void settle_zones(const Reader& reader, MappingConfig& mapping, const Layout& layout, std::uint64_t user_bytes) {
  ZonesConfig& zones = mapping.zones;
  const std::uint64_t superblock = std::uint64_t{layout.data_pages()} * layout.slot_bytes(), capacity = zones.capacity_bytes;
  if (capacity % superblock != 0) {
    reader.refuse(
        "mapping.zone_capacity_bytes",
        "a zone is whole superblocks, as its reset erases them; one holds " + std::to_string(superblock) + " bytes",
        "multiples of " + std::to_string(superblock));
  }
  if (zones.zone_bytes % layout.slot_bytes() != 0)
    reader.refuse("mapping.zone_bytes", "is not whole mapping pages", "multiples of " + std::to_string(layout.slot_bytes()));
  if (user_bytes % capacity != 0) {
    reader.refuse("mapping.zone_capacity_bytes",
                  "does not divide the user space of " + std::to_string(user_bytes) + " bytes",
                  "with user_sectors a multiple of " + std::to_string(capacity / kSectorBytes));
  }
  if (user_bytes / capacity * (zones.zone_bytes / layout.slot_bytes()) >= 0xffff'fff0)
    reader.refuse("mapping.zone_bytes", "makes more pages than can be numbered", "less than 2^32 mapping pages in all");
  zones.superblocks = static_cast<std::uint32_t>(capacity / superblock);
  zones.count = static_cast<std::uint32_t>(user_bytes / capacity);
}

std::uint64_t mapping_ram_bytes(const MappingConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  constexpr std::uint64_t kEntry = 4;
  switch (config.scheme) {
    case Scheme::page: return logical_pages * kEntry;
    case Scheme::demand:
    case Scheme::extent: return config.ram_bytes;
    case Scheme::zoned: return config.zones.count * std::uint64_t{config.zones.superblocks + 1} * kEntry;
    default: break;
  }
  const std::uint64_t superblocks = (logical_pages + layout.data_pages() - 1) / layout.data_pages();
  const std::uint64_t logs =
      config.scheme == Scheme::block ? 0 : std::uint64_t{config.log_superblocks} * layout.data_pages();
  return (superblocks + config.log_superblocks + logs) * kEntry;
}

}  // namespace ftlab
