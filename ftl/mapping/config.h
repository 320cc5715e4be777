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

struct MappingConfig {
  enum class Scheme : std::uint8_t { page, demand, extent, block, bast, fast };
  Scheme scheme = Scheme::page;
  std::uint64_t ram_bytes = 0;          // demand, extent
  MapCacheConfig cache;                 // demand
  std::uint32_t translation_pages = 0;  // demand: pages in flash; 0: the whole map fits in RAM
  std::uint64_t host_memory_bytes = 0;  // demand: host memory for translation pages that leave the RAM
  ExtentConfig extents;                 // extent
  std::uint32_t log_superblocks = 0;    // block: superblocks open at the same time; bast, fast: log blocks

  bool hybrid() const { return scheme >= Scheme::block; }
  // True if changing the map costs nothing but RAM.
  bool all_in_ram() const { return scheme == Scheme::page || (scheme == Scheme::demand && translation_pages == 0); }
};

inline constexpr std::uint32_t kMostLogSuperblocks = 28;  // each is a frontier, plus one; see FlashEngine::kMostFrontiers

// Reads the object `mapping` of a drive file; `mapping_bytes` receives its page_bytes. Throws ConfigError.
MappingConfig read_mapping(Reader reader, std::uint64_t user_bytes, std::uint32_t& mapping_bytes);

// RAM that the scheme takes: `ram_bytes` of the drive file if it has one, else 4 bytes per page (page map), or per
// superblock and per page of the logs (block maps).
std::uint64_t mapping_ram_bytes(const MappingConfig& config, const Layout& layout, std::uint64_t logical_pages);

}  // namespace ftlab
