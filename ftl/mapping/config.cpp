#include "ftl/mapping/config.h"

namespace ftlab {
namespace {

using Scheme = MappingConfig::Scheme;

constexpr std::uint32_t kFlashEntryBytes = 4;  // a PPN in a translation page

void read_demand(Reader& reader, MappingConfig& mapping, std::uint32_t page_bytes, std::uint64_t logical_pages) {
  MapCacheConfig& cache = mapping.cache;
  mapping.ram_bytes = cache.budget_bytes = reader.sourced("ram_bytes", 1, std::uint64_t{1} << 40).value;
  cache.page_bytes = page_bytes;
  cache.entries_per_page = page_bytes / kFlashEntryBytes;
  cache.whole_pages = reader.choice("cache_unit", {"page", "entry"}) == 0;
  cache.eviction =
      static_cast<MapCacheConfig::Eviction>(reader.choice("eviction", {"lru", "segmented-lru", "fifo", "clean-first"}));
  if (cache.eviction == MapCacheConfig::Eviction::clean_first) {
    cache.clean_window = static_cast<std::uint32_t>(reader.integer("clean_window", 1, 1 << 20));
  }
  if (!cache.whole_pages) {
    cache.entry_bytes = static_cast<std::uint32_t>(reader.integer("entry_bytes", 4, 64));
    cache.batch_write_back = reader.boolean("batch_write_back");
    cache.prefetch_entries = static_cast<std::uint32_t>(reader.integer("prefetch_entries", 0, cache.entries_per_page - 1));
  }
  if (reader.has("host_memory_bytes")) {
    if (!cache.whole_pages) reader.refuse("host_memory_bytes", "holds whole translation pages", "with cache_unit page");
    mapping.host_memory_bytes = reader.sourced("host_memory_bytes", page_bytes, std::uint64_t{1} << 40).value;
  }
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
  mapping.ram_bytes = reader.sourced("ram_bytes", 1, std::uint64_t{1} << 40).value;
  const std::uint64_t entry_bytes = reader.sourced("entry_bytes", 4, 64).value;
  ExtentConfig& extents = mapping.extents;
  extents.region_pages = static_cast<std::uint32_t>(reader.sourced("region_pages", 2, 1 << 20).value);
  extents.start_permille = static_cast<std::uint32_t>(reader.integer("start_permille", 1, 1000));
  extents.stop_permille = extents.start_permille;
  if (reader.has("stop_permille"))
    extents.stop_permille = static_cast<std::uint32_t>(reader.integer("stop_permille", 1, extents.start_permille));
  extents.pages_per_host_write = static_cast<std::uint32_t>(reader.integer("pages_per_host_write", 0, 1 << 20));
  extents.fill_holes = reader.has("fill_holes") && reader.boolean("fill_holes");
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

}  // namespace

MappingConfig read_mapping(Reader reader, std::uint64_t user_bytes, std::uint32_t& mapping_bytes) {
  MappingConfig mapping;
  mapping.scheme = static_cast<Scheme>(reader.choice("scheme", {"page", "demand", "extent", "block", "bast", "fast"}));
  mapping_bytes = static_cast<std::uint32_t>(reader.sourced("page_bytes", kSectorBytes, 1 << 24).value);
  const std::uint64_t logical_pages = (user_bytes + mapping_bytes - 1) / mapping_bytes;
  if (mapping.scheme == Scheme::demand) read_demand(reader, mapping, mapping_bytes, logical_pages);
  if (mapping.scheme == Scheme::extent) read_extents(reader, mapping, logical_pages);
  if (mapping.hybrid()) {
    const std::uint64_t least = mapping.scheme == Scheme::fast ? 2 : 1;  // FAST: one for sequential, one for other writes
    mapping.log_superblocks = static_cast<std::uint32_t>(reader.integer("log_superblocks", least, kMostLogSuperblocks));
  }
  reader.finish();
  return mapping;
}

std::uint64_t mapping_ram_bytes(const MappingConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  constexpr std::uint64_t kEntry = 4;
  switch (config.scheme) {
    case Scheme::page: return logical_pages * kEntry;
    case Scheme::demand:
    case Scheme::extent: return config.ram_bytes;
    default: break;
  }
  const std::uint64_t superblocks = (logical_pages + layout.data_pages() - 1) / layout.data_pages();
  const std::uint64_t logs =
      config.scheme == Scheme::block ? 0 : std::uint64_t{config.log_superblocks} * layout.data_pages();
  return (superblocks + config.log_superblocks + logs) * kEntry;
}

}  // namespace ftlab
