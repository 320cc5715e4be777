// The superblocks that a configuration needs, and refusals of those with too few.
#include <algorithm>
#include <numeric>
#include <utility>

#include "ftl/config_checks.h"

namespace ftlab {
namespace {

struct PoolSum {
  std::uint64_t logical_pages, open, reserve, superblocks;  // open: superblocks of frontiers
  std::uint64_t slots_per_page, guaranteed_slots;
  std::uint64_t for_data() const { return logical_pages * slots_per_page / guaranteed_slots + 1; }
  std::uint64_t needed() const { return for_data() + (open - 1) + reserve; }
};

// Superblocks of a reclaim group that take no data: a reclaim unit for each frontier, and those that collection keeps free.
std::uint64_t without_data(const FtlConfig& config, std::uint32_t group) {
  const std::uint32_t kept = std::max({config.reserve(group), config.gc.stop_free, config.gc.idle_stop_free});
  return config.frontiers().size() / config.pool_count() * config.placement.reclaim_unit + kept;
}

// The same, and what frontiers of the host may fill after the group was judged: a unit each, and one that is opened.
std::uint64_t set_apart(const FtlConfig& config, std::uint32_t group) {
  return without_data(config, group) + (config.placement.streams + std::uint64_t{1}) * config.placement.reclaim_unit;
}

std::uint64_t groups_needed(const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  const std::uint64_t data = logical_pages * config.slots_per_page() / config.guaranteed_slots(layout) + 1;
  std::uint64_t needed = 0;
  for (std::uint32_t group = 0; group < config.pool_count(); ++group)
    needed += set_apart(config, group) + data / config.pool_count() + 1;
  return needed;
}

std::uint64_t pages_of(const FtlConfig& config, std::uint32_t pool, std::uint64_t logical_pages) {
  if (config.placement.scheme == PlacementConfig::Scheme::pools && pool < config.placement.pools.size()) {
    return config.placement.pools[pool].logical_pages;
  }
  return logical_pages + config.mapping.translation_pages;
}

PoolSum sum_of(const FtlConfig& config, const Layout& layout, std::uint32_t pool, std::uint64_t logical_pages) {
  PoolSum sum{pages_of(config, pool, logical_pages),
              0,
              config.reserve(pool),
              config.blocks_options(layout).quotas[pool],
              config.slots_per_page(),
              config.guaranteed_slots(layout)};
  for (const FrontierPlan& plan : config.frontiers()) sum.open += plan.pool == pool ? plan.superblocks : 0;
  return sum;
}

std::uint64_t hybrid_needed(const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  const std::uint64_t data = (logical_pages + layout.data_pages() - 1) / layout.data_pages();
  if (!config.mapping.merges()) return data + config.mapping.zones.most_active;
  return data + config.mapping.log_superblocks + kMergeReserve;
}

std::string needed_sum(const FtlConfig& config, const Layout& layout, const PoolSum& sum, std::uint64_t logical_pages) {
  const std::string slots =
      sum.slots_per_page == 1 ? " pages" : " slots, " + text(sum.slots_per_page - 1) + " of which may stay empty at the end";
  const std::string of = " (of " + text(layout.data_pages()) + slots + ", for " + text(sum.logical_pages) +
                         " logical pages" + (sum.slots_per_page == 1 ? "" : " of " + text(sum.slots_per_page) + " slots");
  if (config.mapping.scheme == MappingConfig::Scheme::zoned) {
    return text(hybrid_needed(config, layout, logical_pages) - config.mapping.zones.most_active) + of + ") + " +
           text(config.mapping.zones.most_active) +
           " (active zones, copied after a power cut) = " + text(hybrid_needed(config, layout, logical_pages));
  }
  if (config.mapping.hybrid()) {
    return text(hybrid_needed(config, layout, logical_pages) - config.mapping.log_superblocks - kMergeReserve) + of +
           ") + " + text(config.mapping.log_superblocks) + " (log superblocks) + " + text(kMergeReserve) +
           " (merges) = " + text(hybrid_needed(config, layout, logical_pages));
  }
  const std::uint32_t unit = config.placement.reclaim_unit;
  return text(sum.for_data()) + of + " and one stale page) + " + text(sum.open - 1) + " (partly filled frontiers" +
         (unit > 1 ? ", each with a reclaim unit of " + text(unit) + ") + " : ") + ") + text(sum.reserve) +
         (config.failure_reserve > 0 ? " (reserve, " + text(config.failure_reserve) + " of it for one that fails) = "
                                     : " (reserve) = ") +
         text(sum.needed());
}

// Changes that give a design enough spare space, as text, with the largest user space for which superblocks_needed() does
// not exceed the geometry.
std::string ways_to_fit(const FtlConfig& config, const Layout& layout) {
  if (config.placement.scheme == PlacementConfig::Scheme::pools)
    return "more superblocks or fewer logical pages in this pool";
  const auto fit = [&](std::uint64_t pages) { return superblocks_needed(config, layout, pages) <= layout.superblocks(); };
  const std::string fewer = std::string(config.placement.handles() > 1 ? ", fewer ftl.placement.streams" : "") +
                            (config.placement.reclaim_unit > 1 ? ", a smaller ftl.placement.reclaim_unit_superblocks" : "");
  if (!fit(1)) return "at least " + text(superblocks_needed(config, layout, 1)) + " superblocks" + fewer;
  std::uint64_t pages = 1;
  for (std::uint64_t too_many = std::uint64_t{layout.page_count()} + 1; too_many - pages > 1;) {
    const std::uint64_t middle = std::midpoint(pages, too_many);
    (fit(middle) ? pages : too_many) = middle;
  }
  return "more superblocks" + fewer + ", or at most " +
         text(pages * config.mapping_bytes / kSectorBytes) + " user_sectors";
}

void check_pool(const Reader& reader, const FtlConfig& config, const Layout& layout, std::uint32_t pool,
                std::uint64_t logical_pages) {
  const PoolSum sum = sum_of(config, layout, pool, logical_pages);
  const std::uint64_t needed = config.mapping.hybrid() ? hybrid_needed(config, layout, logical_pages) : sum.needed();
  const std::string where = config.pool_count() > 1 ? "pool " + text(pool) + " of the flash" : "the flash";
  if (sum.superblocks < needed) {
    reader.refuse("superblock",
                  "too little spare space: " + where + " has " + text(sum.superblocks) + " superblocks, but needs " +
                      needed_sum(config, layout, sum, logical_pages),
                  ways_to_fit(config, layout));
  }
  if (config.mapping.hybrid()) return;
  if (config.gc.start_free < sum.reserve) {
    reader.refuse(
        "gc.start_free_superblocks",
        "is below the reserve, at which collection stops the host: one for each of the " +
            text(sum.reserve - config.failure_reserve - config.compression.on()) + " frontiers that take relocated pages" +
            (config.compression.on() ? ", one for pages of several slots that find too little room" : "") +
            (config.failure_reserve > 0 ? ", and " + text(config.failure_reserve) + " for a superblock that fails" : ""),
        "at least " + text(sum.reserve));
  }
  const std::uint64_t most = std::max(sum.superblocks - needed + sum.reserve, sum.reserve + 1);
  for (const auto& [key, value] : {std::pair{"gc.stop_free_superblocks", config.gc.stop_free},
                                   std::pair{"gc.idle.stop_free_superblocks", config.gc.idle_stop_free}}) {
    if (value <= most) continue;
    reader.refuse(key,
                  "cannot be reached on a full drive: of " + text(sum.superblocks) + " superblocks it needs " +
                      needed_sum(config, layout, sum, logical_pages),
                  "at most " + text(most));
  }
}

// Refuses what reclaim groups are not modelled with, and groups without enough room.
void check_groups(const Reader& reader, const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  const std::uint32_t groups = config.placement.reclaim_groups;
  const auto refuse = [&](const std::string& why, const std::string& allowed) {
    reader.refuse("placement.reclaim_groups", why, allowed);
  };
  const std::uint32_t side_by_side = die_groups(layout);
  if (side_by_side % groups != 0) {
    refuse("have dies of their own, so their number must divide that of the superblocks side by side (dies / "
           "superblock.dies = " + text(side_by_side) + ")", "divisors of " + text(side_by_side));
  }
  if (config.mapping.translation_pages > 0) refuse("leave no group for translation pages", "1, or a map that fits in RAM");
  if (config.pslc_mode.on()) refuse("hold superblocks of one size, and pslc_mode makes smaller ones", "1");
  if (config.failure_reserve > 0) refuse("keep their size, and blocks of this flash fail", "1, or flash that does not fail");
  const std::uint64_t needed = groups_needed(config, layout, logical_pages);
  if (needed > layout.superblocks()) {
    refuse("leave too little spare space: the flash has " + text(layout.superblocks()) + " superblocks, but needs " +
               text(needed) + ": in each group " + text(set_apart(config, 0)) +
               " (open frontiers, a unit more for each of the host's, collection), the rest for " + text(logical_pages) +
               " logical pages",
           ways_to_fit(config, layout));
  }
}

void check_pools_fit(const Reader& reader, const FtlConfig& config, const Layout& layout) {
  if (config.placement.scheme != PlacementConfig::Scheme::pools) return;
  std::uint64_t superblocks = 0;
  for (const PlacementConfig::Pool& pool : config.placement.pools) superblocks += pool.superblocks;
  if (superblocks != layout.superblocks()) {
    reader.refuse("placement.pools",
                  "hold " + text(superblocks) + " superblocks, the flash has " + text(layout.superblocks()));
  }
}

}  // namespace

std::int64_t FtlConfig::most_slots_in_group(const Layout& layout, std::uint32_t group) const {
  const std::int64_t superblocks = blocks_options(layout).quotas[group];
  const std::uint64_t without = without_data(*this, group);
  return (superblocks - static_cast<std::int64_t>(without)) * guaranteed_slots(layout);
}

std::uint64_t superblocks_needed_of(const FtlConfig& config, const Layout& layout, std::uint32_t pool,
                                    std::uint64_t logical_pages) {
  if (config.is_slc_pool(pool)) return config.slc.direct_when_full ? 0 : 1;
  return sum_of(config, layout, pool, logical_pages).needed();
}

std::uint64_t superblocks_needed(const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  if (config.mapping.hybrid()) return hybrid_needed(config, layout, logical_pages);
  if (config.placement.reclaim_groups > 1) return groups_needed(config, layout, logical_pages);
  std::uint64_t needed = config.slc.superblocks;
  for (std::uint32_t pool = 0; pool < config.pool_count(); ++pool) {
    if (!config.is_slc_pool(pool)) needed += superblocks_needed_of(config, layout, pool, logical_pages);
  }
  return needed;
}

void check_space(const Reader& reader, const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages) {
  check_pools_fit(reader, config, layout);
  if (config.placement.reclaim_groups > 1) return check_groups(reader, config, layout, logical_pages);
  for (std::uint32_t pool = 0; pool < config.pool_count(); ++pool) {
    if (!config.is_slc_pool(pool)) check_pool(reader, config, layout, pool, logical_pages);
  }
}

}  // namespace ftlab
