#include "ftl/drive/config/table_bytes.h"

#include <algorithm>
#include <bit>

#include "models/nand/array/layout.h"

namespace ftlab {
namespace {

// Bytes of each table. The comments name the columns included.
struct Sizes {
  const DriveConfig& config;
  Layout layout;
  std::uint64_t pages, superblocks, blocks, logical;

  explicit Sizes(const DriveConfig& drive)
      : config(drive),
        layout(drive.geometry, drive.ftl.superblock, drive.ftl.slot_bytes()),
        pages(layout.page_count()),
        superblocks(layout.superblocks()),
        blocks(superblocks * layout.blocks_per_superblock()),
        logical(drive.logical_pages()) {}

  std::uint64_t map() const { return 4 * (logical + config.ftl.mapping.translation_pages); }

  // Medium: lpn_; slots_ with compression; and per superblock: counts, orders and marks.
  std::uint64_t medium() const { return (config.ftl.compression.on() ? 5 : 4) * pages + 26 * superblocks; }

  // Blocks, and for each pool the bins that the collection policy needs.
  std::uint64_t superblock_tables() const {
    const std::uint64_t bits = 8 * ((layout.pages_per_superblock() + 63) / 64);
    return (35 + bits) * superblocks + config.ftl.pool_count() * bins();
  }
  std::uint64_t bins() const {
    const std::uint64_t counts = layout.pages_per_superblock() + 1;
    switch (config.ftl.blocks_options(layout).bins) {
      case Bins::Keeping::none: return 0;
      case Bins::Keeping::sorted: return 8 * superblocks + 4 * (counts + 1);
      case Bins::Keeping::lifo:
      case Bins::Keeping::fifo: break;
    }
    return 8 * superblocks + 8 * counts;
  }

  // Endurance, BadBlockTable, Defects; BlockSpeed.
  std::uint64_t block_tables() const {
    const BlockVariation& variation = config.nand.variation;
    const std::uint64_t of_planes = 2 * ((variation.program_permille > 0) + (variation.erase_permille > 0)) * blocks;
    const std::uint64_t speed = 2 * (variation.read_permille > 0) * blocks + of_planes / layout.planes() +
                                (config.nand.wear.any() ? 4 * superblocks : 0);
    return speed + (config.endurance.ends() ? 19 * blocks + superblocks : 0);
  }

  // MediaErrors.
  std::uint64_t errors() const {
    if (!config.cells.err()) return 0;
    const std::uint64_t rows = superblocks * config.geometry.pages_per_block;
    return 4 * rows + 8 * superblocks * layout.dies_per_superblock() + superblocks + pages / 8;
  }

  // Deduplication, and Fingerprints.
  std::uint64_t contents() const {
    if (!config.ftl.deduplication.on()) return 0;
    const std::uint64_t entries = std::bit_ceil(2 * std::min(config.ftl.deduplication.entries(), logical));
    return (20 + 24) * logical + 4 * entries;
  }

  // MapCache: a slot of 24 bytes for each unit that fits into the RAM, and the index.
  std::uint64_t map_cache() const {
    const MappingConfig& mapping = config.ftl.mapping;
    if (mapping.scheme != MappingConfig::Scheme::demand || mapping.translation_pages == 0) return 0;
    const MapCacheConfig& cache = mapping.cache;
    const std::uint64_t all = cache.units_in_all(logical);
    return 24 * std::min(cache.budget_bytes / cache.unit_bytes(), all) + 4 * all +
           5 * std::uint64_t{mapping.translation_pages};
  }

  // Placement by frequency, Trims, extents by region, the write buffer.
  std::uint64_t by_logical_page() const {
    const bool frequency = config.ftl.placement.scheme == PlacementConfig::Scheme::frequency;
    const bool late = config.ftl.trim.mode == TrimConfig::Mode::deferred;
    const bool extents = config.ftl.mapping.scheme == MappingConfig::Scheme::extent;
    const std::uint64_t region = std::max<std::uint64_t>(config.ftl.mapping.extents.region_pages, 1);
    return (frequency ? 3 * logical : 0) + (late ? logical / 8 : 0) + (extents ? 8 * (logical / region + 1) : 0) +
           8 * std::uint64_t{config.ftl.buffer.pages};
  }
};

}  // namespace

std::vector<TableSize> table_sizes(const DriveConfig& config, bool versions) {
  const Sizes sizes(config);
  std::vector<TableSize> tables = {{"map", sizes.map()},
                                   {"flash pages", sizes.medium()},
                                   {"versions", versions || config.ftl.needs_versions() ? 4 * sizes.pages : 0},
                                   {"superblocks", sizes.superblock_tables()},
                                   {"blocks", sizes.block_tables()},
                                   {"bit errors", sizes.errors()},
                                   {"contents", sizes.contents()},
                                   {"map cache", sizes.map_cache()},
                                   {"pages of the host", sizes.by_logical_page()}};
  std::erase_if(tables, [](const TableSize& table) { return table.bytes == 0; });
  return tables;
}

std::uint64_t table_bytes(const DriveConfig& config, bool versions) {
  std::uint64_t sum = 0;
  for (const TableSize& table : table_sizes(config, versions)) sum += table.bytes;
  return sum;
}

// A mapped page stays with probability exp(-x), where x is the mean number of writes of a page. That is less than
// 1 / (1 + x + x * x / 2).
std::uint64_t counted_aging_bytes(const DriveConfig& config, std::uint64_t mapped_pages, std::uint64_t writes) {
  const auto logical = static_cast<double>(config.logical_pages()), x = static_cast<double>(writes) / logical;
  const double stay = static_cast<double>(mapped_pages) / (1 + x + x * x / 2);
  return static_cast<std::uint64_t>(logical / 8 + (sizeof(Lpn) + sizeof(Version)) * stay);
}

}  // namespace ftlab
