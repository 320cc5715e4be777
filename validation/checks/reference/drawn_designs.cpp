#include "validation/checks/reference/drawn_designs.h"

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

DriveConfig drawn_design(RandomStream& random, Mapping scheme, Special special, Breadth breadth) {
  for (Draw draw{random};;) {
    DriveConfig drive = striped_drive();
    FtlConfig& ftl = drive.ftl;
    breadth == Breadth::wide ? draw.wide_shape(drive) : draw.shape(drive);
    if (drive.geometry.bytes() / drive.ftl.mapping_bytes > 100'000) continue;
    draw.mapping(ftl.mapping, scheme);
    draw.requests(ftl);
    if (!ftl.mapping.hybrid()) {
      draw.collection(ftl);
      draw.placement(ftl);
      if (special == Special::compression && !draw.compression(drive)) continue;
      if (special == Special::deduplication) {
        if (draw.coin() && !draw.compression(drive)) continue;
        if (!draw.deduplication(ftl)) continue;
      }
      if (special == Special::pslc_mode) ftl.pslc_mode = {draw.of({100, 500, 900}), draw.of({2, 3})};
      if (special == Special::compression && random.chance(1, 8))
        ftl.pslc_mode = {draw.of({100, 500, 900}), draw.of({2, 3})};
      if (random.chance(1, 4) && !ftl.pslc_mode.on()) ftl.slc = {draw.of({1, 2, 4}), 2, draw.coin()};
      if (ftl.placement.scheme == Placing::pools && (ftl.slc.superblocks > 0 || scheme != Mapping::page)) continue;
    } else if (ftl.superblock.parity) {
      continue;
    }
    if (!layout_problem(drive.geometry, ftl.superblock, ftl.mapping_bytes).empty()) continue;
    const Layout layout(drive.geometry, ftl.superblock, ftl.slot_bytes());
    if (layout.data_pages() < 2 * ftl.slots_per_page()) continue;
    ftl.buffer.pages = layout.pages_per_stripe() * draw.of({1, 2, 8}) + ftl.slots_per_page() - 1;
    set_water_marks(ftl);
    const bool smallest_map = draw.coin();
    const std::uint64_t most = most_logical_pages(ftl, layout, smallest_map);
    const bool tightest = draw.coin();
    const std::uint64_t logical = tightest ? most : most - most * (25 + random.below(25)) / 100;
    if (logical < layout.data_pages() / ftl.slots_per_page() || !fits(ftl, layout, logical, smallest_map)) continue;
    if (scheme == Mapping::demand &&
        (ftl.mapping.translation_pages == 0 || !MapCache::problem(ftl.mapping.cache, logical).empty()))
      continue;
    set_water_marks(ftl);  // includes the frontier of translation pages
    if (random.chance(1, 4)) {
      ftl.gc.idle_after = Nanoseconds{1'000'000};
      ftl.gc.idle_stop_free = ftl.gc.stop_free;
    }
    drive.user_bytes = logical * ftl.mapping_bytes;
    draw.read_ahead(drive);
    return drive;
  }
}

std::string words(const DriveConfig& drive) {
  const FtlConfig& ftl = drive.ftl;
  std::string text;
  const auto add = [&text](const char* what, std::uint64_t value) {
    text += std::string(what) + " " + std::to_string(value) + ", ";
  };
  add("mapping", static_cast<std::uint64_t>(ftl.mapping.scheme));
  add("logs", ftl.mapping.log_superblocks);
  add("placement", static_cast<std::uint64_t>(ftl.placement.scheme));
  add("policy", ftl.gc.policy);
  add("pace", ftl.gc.pages_per_host_write);
  add("separate", ftl.separate_relocation);
  add("parity", ftl.superblock.parity);
  add("pslc", ftl.slc.superblocks);
  add("direct", ftl.slc.direct_when_full);
  add("static spread", ftl.wear.static_spread);
  add("held", ftl.buffer.coalescing_pages);
  add("coalesce", ftl.buffer.coalesce);
  add("protected", ftl.buffer.power_loss_protected);
  add("trim", static_cast<std::uint64_t>(ftl.trim.mode));
  add("mapping page", ftl.mapping_bytes);
  add("dies of a superblock", ftl.superblock.dies);
  add("fast until", ftl.pslc_mode.until_mapped_permille);
  add("slot", ftl.compression.slot_bytes);
  add("fingerprints", ftl.deduplication.ram_bytes);
  add("readers followed", drive.controller.read_ahead.streams);
  add("superblocks", Layout(drive.geometry, ftl.superblock, ftl.slot_bytes()).superblocks());
  add("logical pages", drive.logical_pages());
  return text;
}

DriveConfig mortal(DriveConfig drive, const EnduranceConfig& endurance) {
  const std::uint32_t before = Layout(drive.geometry, drive.ftl.superblock, drive.ftl.slot_bytes()).superblocks();
  drive.geometry.blocks_per_plane += 2 * drive.ftl.pool_count();
  std::uint32_t more = Layout(drive.geometry, drive.ftl.superblock, drive.ftl.slot_bytes()).superblocks() - before;
  if (drive.ftl.placement.scheme == Placing::pools) {
    for (std::size_t left = drive.ftl.placement.pools.size(); left > 0; --left) {
      drive.ftl.placement.pools[left - 1].superblocks += more / static_cast<std::uint32_t>(left);
      more -= more / static_cast<std::uint32_t>(left);
    }
  }
  drive.endurance = endurance;
  drive.ftl.failure_reserve = 1;
  set_water_marks(drive.ftl);
  if (drive.ftl.gc.idle_stop_free > 0) drive.ftl.gc.idle_stop_free = drive.ftl.gc.stop_free;
  return drive;
}

unsigned trims(const DriveConfig& drive) { return drive.ftl.trim.mode == TrimConfig::Mode::off ? 0 : 8; }

std::uint64_t contents(RandomStream& random, Special special) {
  constexpr std::uint64_t kContents[] = {2, 20, 2'000};
  return special == Special::deduplication ? kContents[random.below(3)] : 0;
}

DriveConfig next_design(RandomStream& random, int i, Special special) {
  if (special == Special::deduplication) return drawn_design(random, Mapping::page, special);
  if (special == Special::compression) return drawn_design(random, i % 2 == 0 ? Mapping::page : Mapping::demand, special);
  return drawn_design(random, kSchemes[i % (special == Special::pslc_mode ? 2 : 6)], special);
}

void make_err(DriveConfig& drive, RandomStream& random) {
  drive.ftl.gc.copyback = false;
  drive.cells.kinds_permille = {700, 1300};
  drive.cells.slc_permille = 200;
  drive.cells.correctable_bits = 8;
  drive.cells.retention_per_pbit = 1'000'000'000'000;  // 1e-3 after a day
  drive.cells.disturb_per_pbit = 1'000'000'000;
  drive.cells.retry = {{500, 8, 1, Nanoseconds{1'000}}, {0, 8, 2, Nanoseconds{9'000}}};
  drive.ftl.refresh = {500'000'000, 1, Nanoseconds{600'000'000'000}, random.chance(1, 2) ? 1u : 32u};
}

}  // namespace ftlab::testing
