#include "ftl/drive/smart_log.h"

#include <algorithm>

#include "ftl/drive/config/zone_gaps.h"

namespace ftlab {
namespace {

void add_traffic(SmartLog& log, const Drive& drive, const Counters& all) {
  const std::uint64_t page = drive.config().geometry.page_bytes;
  log.user_bytes = without_zone_gaps(drive.config()).user_bytes;
  log.namespace_bytes = drive.config().user_bytes;
  log.flash_bytes = drive.config().geometry.bytes();
  log.host_read_bytes = all.host_read_bytes;
  log.host_write_bytes = all.host_write_bytes;
  log.host_read_commands = all.host_read_commands;
  log.host_write_commands = all.host_write_commands;
  log.media_write_bytes = all.media_write_bytes();
  log.placement_handles = drive.config().ftl.placement.handles();
  log.reclaim_groups = log.placement_handles == 0 ? 0 : drive.config().ftl.placement.reclaim_groups;
  log.reclaim_units_opened = drive.ftl().store().supply().units_opened();
  log.host_program_pages = all.media_host_bytes / page;
  // Pages that a power cut took from RAM are counted by their cause, but were never programmed.
  log.background_program_pages = (log.media_write_bytes - std::min(log.media_write_bytes, all.media_host_bytes)) / page;
  log.flash_fills = log.media_write_bytes / log.flash_bytes;
}

void add_wear(SmartLog& log, const Drive& drive) {
  const std::vector<std::uint32_t> erases = block_erases(drive);
  if (erases.empty()) return;
  std::uint64_t sum = 0;
  for (const std::uint32_t of_block : erases) sum += of_block;
  const auto [least, most] = std::minmax_element(erases.begin(), erases.end());
  log.mean_erases = sum / erases.size();
  log.most_erases = *most;
  const Geometry& geometry = drive.config().geometry;
  log.media_erase_bytes = sum * geometry.pages_per_block * geometry.page_bytes;
  const std::uint64_t limit = drive.config().endurance.program_erase_limit;
  if (limit == 0) return;
  log.has_endurance_limit = 1;
  log.wear_range_percent = 100 * std::uint64_t{*most - *least} / limit;
  log.life_used_percent = 100 * sum / (limit * erases.size());
}

void add_reserve(SmartLog& log, const Drive& drive) {
  const Layout& layout = drive.medium().layout();
  const std::uint64_t needed =
      superblocks_needed(drive.config().ftl, layout, without_zone_gaps(drive.config()).logical_pages()) *
      layout.blocks_per_superblock();
  std::uint64_t good = std::uint64_t{layout.superblocks()} * layout.blocks_per_superblock();
  if (drive.flash().health) {
    const Defects& defects = drive.flash().health->defects();
    log.grown_bad_blocks = defects.grown_bad();
    good = defects.block_count() - defects.factory_bad();
  }
  const std::uint64_t when_new = good - std::min(good, needed);
  log.reserve_blocks = when_new - std::min(when_new, log.grown_bad_blocks);
  if (when_new > 0) log.reserve_left_percent = 100 * log.reserve_blocks / when_new;
}

}  // namespace

std::vector<std::uint32_t> block_erases(const Drive& drive) {
  std::vector<std::uint32_t> erases;
  if (const auto& health = drive.flash().health) {
    for (std::uint32_t b = 0; b < health->defects().block_count(); ++b) {
      if (health->defects().use(b) != BlockUse::factory_bad) erases.push_back(health->erases(b));
    }
    return erases;
  }
  const std::uint32_t worn = drive.config().endurance.worn_cycles;
  for (const std::uint32_t of_superblock : drive.medium().superblocks().erase_counts()) {
    erases.insert(erases.end(), drive.medium().layout().blocks_per_superblock(), of_superblock + worn);
  }
  return erases;
}

SmartLog smart_log(const Drive& drive, Nanoseconds now) {
  SmartLog log;
  const Counters all = drive.counters_at(now);
  add_traffic(log, drive, all);
  add_wear(log, drive);
  add_reserve(log, drive);
  log.powered_ms = all.powered_ns / 1'000'000;
  log.power_cuts = all.power_cuts;
  log.power_cycles = all.power_cuts + 1;
  log.program_failures = all.program_failures;
  log.erase_failures = all.erase_failures;
  log.lost_pages = all.lost_pages;
  log.busy_ms = all.active_ns / 1'000'000;
  log.has_busy_time = drive.config().power.has_value();
  log.read_only = drive.ftl().read_only();
  return log;
}

}  // namespace ftlab
