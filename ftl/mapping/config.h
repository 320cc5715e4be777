// How a drive finds its pages, and how much RAM it has for that.
#pragma once

#include <cstdint>

#include "ftl/mapping/map_cache.h"
#include "models/nand/array/layout.h"
#include "sim/config/reader.h"

namespace ftlab {

struct ExtentConfig {
  std::uint64_t entries = 0;               // that fit into the RAM
  std::uint32_t region_pages = 1024;       // no extent crosses the edge of such a piece of the logical space
  std::uint32_t start_permille = 1000;     // defragmentation begins when this share of the entries is in use ...
  std::uint32_t stop_permille = 1000;      // ... and ends when less than this is, ...
  std::uint32_t pages_per_host_write = 0;  // ... with so many pages for each that the host writes; 0: not before all are
  bool fill_holes = false;                 // a region is rewritten whole: pages without data get zeros
};

struct MappingConfig {
  enum class Scheme : std::uint8_t { page, demand, extent, block, bast, fast };
  Scheme scheme = Scheme::page;
  std::uint64_t ram_bytes = 0;          // demand, extent
  MapCacheConfig cache;                 // demand
  std::uint32_t translation_pages = 0;  // demand: in the flash; 0: the whole map fits into the RAM and there are none
  std::uint64_t host_memory_bytes = 0;  // demand: of the host's memory, for translation pages that leave the RAM
  ExtentConfig extents;                 // extent
  std::uint32_t log_superblocks = 0;    // block: open at the same time; bast, fast: log blocks

  bool hybrid() const { return scheme >= Scheme::block; }
  // Changing the map costs nothing but RAM.
  bool all_in_ram() const { return scheme == Scheme::page || (scheme == Scheme::demand && translation_pages == 0); }
};

inline constexpr std::uint32_t kMostLogSuperblocks = 28;  // each is a frontier, beside one; see FlashEngine::kMostFrontiers

// Reads the object `mapping` of a drive file; `mapping_bytes` receives its page_bytes. Throws ConfigError.
MappingConfig read_mapping(Reader reader, std::uint64_t user_bytes, std::uint32_t& mapping_bytes);

// RAM that the scheme takes on a drive of so many logical pages, by the sizes its file states (page map: 4 bytes a page;
// block maps: 4 bytes a superblock and a page of the logs).
std::uint64_t mapping_ram_bytes(const MappingConfig& config, const Layout& layout, std::uint64_t logical_pages);

}  // namespace ftlab
