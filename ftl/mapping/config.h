// Mapping scheme of a drive, and the RAM that it may use.
#pragma once

#include <cstdint>

#include "ftl/mapping/map_cache.h"
#include "models/nand/array/layout.h"
#include "sim/config/reader.h"

namespace ftlab {

struct ExtentConfig {
  std::uint64_t entries = 0;               // extents that fit in RAM
  std::uint32_t region_pages = 1024;       // part of the logical space; no extent crosses its edge
  std::uint32_t start_permille = 1000;     // defragmentation starts when this share of the entries is in use
  std::uint32_t stop_permille = 1000;      // defragmentation stops when less than this share is in use
  std::uint32_t pages_per_host_write = 0;  // pages that it moves per host page; 0: only when all entries are in use
  bool fill_holes = false;                 // rewrites regions completely: pages without data get zeros
};

// A zoned namespace: each zone is a number of whole superblocks, which hold nothing else.
struct ZonesConfig {
  std::uint32_t superblocks = 0;  // of a zone; 0: a conventional namespace
  std::uint64_t zone_bytes = 0;   // distance between two zones
  std::uint64_t capacity_bytes = 0;
  std::uint32_t count = 0;
  std::uint32_t most_open = 0;
  std::uint32_t most_active = 0;
};

struct MappingConfig {
  enum class Scheme : std::uint8_t { page, demand, extent, block, bast, fast, zoned };
  Scheme scheme = Scheme::page;
  std::uint64_t ram_bytes = 0;          // demand, extent
  MapCacheConfig cache;                 // demand
  std::uint32_t translation_pages = 0;  // demand: pages in flash; 0: the whole map fits in RAM
  std::uint64_t host_memory_bytes = 0;  // demand: host memory for translation pages that leave the RAM
  ExtentConfig extents;                 // extent
  std::uint32_t log_superblocks = 0;    // block: superblocks open at the same time; bast, fast: log blocks
  ZonesConfig zones;                    // zoned

  // True for maps of blocks and of zones: they place pages themselves, and nothing is collected.
  bool hybrid() const { return scheme >= Scheme::block; }
  // True for maps of blocks, which merge.
  bool merges() const { return hybrid() && scheme != Scheme::zoned; }
  // True if changing the map costs nothing but RAM.
  bool all_in_ram() const { return scheme == Scheme::page || (scheme == Scheme::demand && translation_pages == 0); }
};

inline constexpr std::uint32_t kMostLogSuperblocks = 28;  // each is a frontier, plus one; see FlashEngine::kMostFrontiers

// Reads the object `mapping` of a drive file; `mapping_bytes` receives its page_bytes. Throws ConfigError.
MappingConfig read_mapping(Reader reader, std::uint64_t user_bytes, std::uint32_t& mapping_bytes);

// Completes the zones of a zoned namespace, once the superblocks are known. Throws ConfigError.
void settle_zones(const Reader& reader, MappingConfig& mapping, const Layout& layout, std::uint64_t user_bytes);

// RAM that the scheme takes: `ram_bytes` of the drive file if it has one, else 4 bytes per page (page map), or per
// superblock and per page of the logs (block maps).
std::uint64_t mapping_ram_bytes(const MappingConfig& config, const Layout& layout, std::uint64_t logical_pages);

}  // namespace ftlab
