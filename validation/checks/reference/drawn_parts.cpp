#include "validation/checks/reference/drawn_parts.h"

#include <algorithm>

#include "ftl/policies/gc_policy.h"

namespace ftlab::testing {

void Draw::shape(DriveConfig& drive) {
  drive.geometry.channels = of({1, 2, 4});
  drive.geometry.chips_per_channel = of({1, 2});
  drive.geometry.planes_per_die = of({1, 2});
  drive.geometry.blocks_per_plane = of({16, 24, 48});
  drive.geometry.pages_per_block = of({4, 8, 16});
  drive.geometry.page_bytes = of({2048, 4096, 8192});
  drive.nand.cache_program = coin();
  drive.nand.cache_read = coin();
  drive.nand.program_slc = Nanoseconds{200'000};
  drive.ftl.mapping_bytes = of({512, 2048, 4096, 8192, 16384});
  drive.ftl.superblock = {coin() ? drive.geometry.dies() : 1, coin() ? drive.geometry.planes_per_die : 1,
                          random.chance(1, 4)};
}

void Draw::wide_shape(DriveConfig& drive) {
  shape(drive);
  drive.geometry.dies_per_chip = of({1, 1, 2});
  drive.geometry.planes_per_die = of({1, 2, 4});
  drive.geometry.blocks_per_plane = of({8, 16, 24, 48, 200});
  drive.geometry.pages_per_block = of({1, 4, 8, 16, 32, 64});
  drive.geometry.page_bytes = of({512, 2048, 4096, 16384});
  drive.geometry.codeword_bytes = 512;
  drive.ftl.superblock.dies = coin() ? drive.geometry.dies() : 1;
  drive.ftl.superblock.planes = coin() ? drive.geometry.planes_per_die : 1;
}

void Draw::collection(FtlConfig& ftl) {
  ftl.separate_relocation = coin();
  ftl.gc.policy = random.below(gc_policy_kinds().size());
  const GcPolicyKind& kind = gc_policy_kinds()[ftl.gc.policy];
  const std::uint32_t d = of({1, 2, 10});
  ftl.gc.values.assign(kind.parameters.size(), kind.windowed ? of({1, 4, 100}) : d);
  ftl.gc.ties = static_cast<Bins::Keeping>(
      of({static_cast<std::uint32_t>(Bins::Keeping::lifo), static_cast<std::uint32_t>(Bins::Keeping::fifo),
          static_cast<std::uint32_t>(Bins::Keeping::sorted)}));
  ftl.gc.shuffle = coin();
  ftl.gc.copyback = coin();
  ftl.gc.pages_per_host_write = coin() ? 0 : of({1, 4, 16});
  ftl.wear = {coin(), coin() ? 0 : of({1, 3}), of({1, 5})};
}

void Draw::placement(FtlConfig& ftl) {
  ftl.placement.scheme = static_cast<Placing>(random.below(5));
  ftl.placement.streams = of({2, 4});
  ftl.placement.hot_writes = of({1, 3});
  ftl.placement.halve_after_pages = of({50, 1000});
  if (ftl.placement.scheme == Placing::pools) ftl.placement.pools.resize(1);
}

bool Draw::compression(DriveConfig& drive) {
  FtlConfig& ftl = drive.ftl;
  ftl.compression = {std::max(ftl.mapping_bytes / of({2, 4, 8, 16}), 128u), of({0, 16}), of({1000, 700})};
  ftl.gc.copyback = false;
  return ftl.mapping_bytes <= drive.geometry.page_bytes * ftl.superblock.planes;
}

bool Draw::deduplication(FtlConfig& ftl) {
  ftl.deduplication = {coin() ? std::uint64_t{1} << 30 : of({1, 10, 300}), 1, Nanoseconds{of({0, 5'000})}, Nanoseconds{0}};
  ftl.buffer.power_loss_protected = true;
  return ftl.placement.scheme == Placing::none || ftl.placement.scheme == Placing::streams;
}

void Draw::read_ahead(DriveConfig& drive) {
  RandomStream own(drive.user_bytes, "reading ahead");
  if (!own.chance(1, 4)) return;
  Draw draw{own};
  const std::uint32_t streams = draw.of({1, 3});
  const std::uint64_t pages = std::uint64_t{streams} * draw.of({2, 9, 40});
  drive.controller.read_ahead = {streams, draw.of({1, 2}), pages * drive.ftl.mapping_bytes};
}

void Draw::requests(FtlConfig& ftl) {
  ftl.buffer.coalescing_pages = of({0, 1, 8, 50});
  ftl.buffer.coalesce = coin();
  ftl.buffer.power_loss_protected = random.chance(1, 4);
  ftl.trim.mode = static_cast<TrimConfig::Mode>(random.below(3));
  if (ftl.trim.mode == TrimConfig::Mode::deferred) ftl.buffer.coalescing_pages = 0;
  ftl.trim.pages_per_host_write = of({1, 3, 100});
  ftl.trim.queued = coin();
}

void Draw::mapping(MappingConfig& mapping, Mapping scheme) {
  mapping.scheme = scheme;
  mapping.log_superblocks = of({2, 3, 6}) - (scheme != Mapping::fast && coin() ? 1 : 0);
  mapping.cache.whole_pages = coin();
  mapping.cache.eviction = static_cast<MapCacheConfig::Eviction>(random.below(4));
  mapping.cache.clean_window = of({1, 3});
  mapping.cache.batch_write_back = coin();
  mapping.cache.prefetch_entries = mapping.cache.whole_pages ? 0 : of({0, 1, 7});
  mapping.extents.region_pages = of({2, 16, 50});
  mapping.extents.start_permille = of({500, 900, 1000});
  mapping.extents.stop_permille = mapping.extents.start_permille / 2;
  mapping.extents.pages_per_host_write = of({0, 4});
  mapping.extents.fill_holes = mapping.extents.region_pages == 16;  // not random, to keep all other designs unchanged
}

void size_mapping(FtlConfig& ftl, std::uint64_t logical_pages, bool smallest) {
  MappingConfig& mapping = ftl.mapping;
  if (mapping.scheme == Mapping::demand) {
    MapCacheConfig& cache = mapping.cache;
    cache.page_bytes = ftl.mapping_bytes;
    cache.entries_per_page = ftl.mapping_bytes / 4;
    cache.prefetch_entries = std::min(cache.prefetch_entries, cache.entries_per_page - 1);
    const std::uint64_t pages = (logical_pages + cache.entries_per_page - 1) / cache.entries_per_page;
    const std::uint64_t units = cache.whole_pages ? pages : logical_pages;
    const std::uint64_t fitting = std::max<std::uint64_t>(smallest ? 1 : units / 4, cache.prefetch_entries + 1);
    mapping.ram_bytes = cache.budget_bytes = fitting * (cache.whole_pages ? cache.page_bytes : cache.entry_bytes);
    mapping.translation_pages = fitting < units ? static_cast<std::uint32_t>(pages) : 0;
  }
  if (mapping.scheme == Mapping::extent) {
    const std::uint64_t regions = (logical_pages + mapping.extents.region_pages - 1) / mapping.extents.region_pages;
    mapping.extents.entries = (smallest ? 4 : 8) * regions;
  }
}

bool size_pools(FtlConfig& ftl, const Layout& layout, std::uint64_t logical_pages) {
  std::vector<PlacementConfig::Pool>& pools = ftl.placement.pools;
  std::uint64_t superblocks = layout.superblocks();
  for (std::size_t pool = 0; pool < pools.size(); ++pool) {
    pools[pool].superblocks = static_cast<std::uint32_t>(superblocks / (pools.size() - pool));
    pools[pool].logical_pages = logical_pages / (pools.size() - pool);
    superblocks -= pools[pool].superblocks;
    logical_pages -= pools[pool].logical_pages;
    const std::uint64_t needed = pools[pool].logical_pages * ftl.slots_per_page() / ftl.guaranteed_slots(layout) + 1 +
                                 (ftl.separate_relocation ? 1 : 0) + ftl.reserve(static_cast<std::uint32_t>(pool));
    if (pools[pool].logical_pages == 0 || needed > pools[pool].superblocks) return false;
  }
  return true;
}

bool fits(FtlConfig& ftl, const Layout& layout, std::uint64_t logical_pages, bool smallest_map) {
  size_mapping(ftl, logical_pages, smallest_map);
  if (ftl.placement.scheme == Placing::pools) return size_pools(ftl, layout, logical_pages);
  return superblocks_needed(ftl, layout, logical_pages) <= layout.superblocks();
}

std::uint64_t most_logical_pages(FtlConfig& ftl, const Layout& layout, bool smallest_map) {
  std::uint64_t fitting = 0, too_many = layout.page_count();
  while (too_many - fitting > 1) {
    const std::uint64_t middle = fitting + (too_many - fitting) / 2;
    (fits(ftl, layout, middle, smallest_map) ? fitting : too_many) = middle;
  }
  return fitting;
}

void set_water_marks(FtlConfig& ftl) {
  ftl.gc.start_free = 1;
  for (std::uint32_t pool = 0; pool < ftl.pool_count(); ++pool)
    ftl.gc.start_free = std::max(ftl.gc.start_free, ftl.reserve(pool));
  ftl.gc.stop_free = ftl.gc.start_free + 1;
}

}  // namespace ftlab::testing
