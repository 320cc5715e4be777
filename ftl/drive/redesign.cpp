// Another translation layer on the same flash: which designs can take over what a drive has written, and how.
#include <stdexcept>

#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"

namespace ftlab {
namespace {

std::string differs(const char* what, std::uint64_t has, std::uint64_t wanted) {
  if (has == wanted) return {};
  return std::string(what) + " differs: the state has " + std::to_string(has) + ", the design wants " +
         std::to_string(wanted);
}

std::string flash_problem(const Geometry& has, const Geometry& wanted) {
  const struct {
    const char* name;
    std::uint32_t has, wanted;
  } kParts[] = {{"geometry.channels", has.channels, wanted.channels},
                {"geometry.chips_per_channel", has.chips_per_channel, wanted.chips_per_channel},
                {"geometry.dies_per_chip", has.dies_per_chip, wanted.dies_per_chip},
                {"geometry.planes_per_die", has.planes_per_die, wanted.planes_per_die},
                {"geometry.blocks_per_plane", has.blocks_per_plane, wanted.blocks_per_plane},
                {"geometry.pages_per_block", has.pages_per_block, wanted.pages_per_block},
                {"geometry.page_bytes", has.page_bytes, wanted.page_bytes},
                {"geometry.page_spare_bytes", has.page_spare_bytes, wanted.page_spare_bytes},
                {"geometry.codeword_bytes", has.codeword_bytes, wanted.codeword_bytes}};
  for (const auto& part : kParts) {
    const std::string problem = differs(part.name, part.has, part.wanted);
    if (!problem.empty()) return problem;
  }
  return {};
}

std::string layout_problem(const FtlConfig& has, const FtlConfig& wanted) {
  std::string problem = differs("the mapping page in bytes", has.mapping_bytes, wanted.mapping_bytes);
  if (problem.empty())
    problem = differs("the slot of compression in bytes", has.compression.slot_bytes, wanted.compression.slot_bytes);
  if (problem.empty()) problem = differs("dies in a superblock", has.superblock.dies, wanted.superblock.dies);
  if (problem.empty()) problem = differs("planes in a superblock", has.superblock.planes, wanted.superblock.planes);
  if (problem.empty()) problem = differs("parity in a superblock", has.superblock.parity, wanted.superblock.parity);
  return problem;
}

bool same_pools(const PlacementConfig& has, const PlacementConfig& wanted) {
  if (has.pools.size() != wanted.pools.size()) return false;
  for (std::size_t i = 0; i < has.pools.size(); ++i) {
    const bool same = has.pools[i].logical_pages == wanted.pools[i].logical_pages &&
                      has.pools[i].superblocks == wanted.pools[i].superblocks;
    if (!same) return false;
  }
  return true;
}

bool same_zones(const ZonesConfig& has, const ZonesConfig& wanted) {
  return has.capacity_bytes == wanted.capacity_bytes && has.zone_bytes == wanted.zone_bytes && has.count == wanted.count &&
         has.most_open == wanted.most_open && has.most_active == wanted.most_active;
}

// Block maps need their data in place, pools need superblocks of their own: such layers take over only their own kind.
std::string layer_problem(const FtlConfig& has, const FtlConfig& wanted) {
  const bool same_scheme = has.mapping.scheme == wanted.mapping.scheme &&
                           has.mapping.log_superblocks == wanted.mapping.log_superblocks &&
                           same_zones(has.mapping.zones, wanted.mapping.zones);
  if ((has.mapping.hybrid() || wanted.mapping.hybrid()) && !same_scheme) {
    return "a block-mapped or zoned layer keeps each page in its place, other layers do not: mapping.scheme, its "
           "zones and its log superblocks must stay";
  }
  std::string problem = differs("pSLC superblocks", has.slc.superblocks, wanted.slc.superblocks);
  if (problem.empty() && has.slc.superblocks > 0)
    problem = differs("pSLC cells per bit", has.slc.cells_per_bit, wanted.slc.cells_per_bit);
  if (problem.empty() && !same_pools(has.placement, wanted.placement)) {
    problem = "placement.pools differ: data lie in superblocks of the pools that the state was written with";
  }
  if (problem.empty())
    problem = differs("reclaim groups", has.placement.reclaim_groups, wanted.placement.reclaim_groups);
  return problem;
}

// With deduplication, the flash holds contents instead of host pages.
std::string sharing_problem(const DeduplicationConfig& has, const DeduplicationConfig& wanted) {
  if (has.on() != wanted.on()) return "deduplication differs: it decides what the pages in the flash stand for";
  return has.on() ? differs("contents that the table of deduplication has room for", has.entries(), wanted.entries()) : "";
}

}  // namespace

std::string redesign_problem(const Drive& drive, const DriveConfig& design) {
  const DriveConfig& has = drive.config();
  std::string problem = flash_problem(has.geometry, design.geometry);
  if (problem.empty()) problem = layout_problem(has.ftl, design.ftl);
  if (problem.empty()) problem = differs("the user capacity in bytes", has.user_bytes, design.user_bytes);
  if (problem.empty()) problem = layer_problem(has.ftl, design.ftl);
  if (problem.empty()) problem = sharing_problem(has.ftl.deduplication, design.ftl.deduplication);
  if (problem.empty() && !(has.endurance == design.endurance)) problem = "endurance differs: it is a property of the flash";
  if (problem.empty() && !(has.cells == design.cells)) problem = "cells differs: it is a property of the flash";
  if (problem.empty() && drive.ftl().read_only()) problem = "the drive is read-only, at its end";
  return problem;
}

void Lifecycle::redesign(const DriveConfig& design) {
  FTLAB_CHECK(parts_.back.medium.pages().keeps_versions(), "another design for a drive that keeps no versions");
  FTLAB_CHECK(drive_.commands_.at_rest(), "redesigned with requests outstanding");
  FTLAB_CHECK(redesign_problem(drive_, design).empty(), redesign_problem(drive_, design));
  const bool timed = parts_.agenda.timed();
  drive_.idle_from();
  save_ram();
  drive_.idle_time_.set_since(parts_.agenda.now());
  Counters& past = drive_.past_;
  past = count_layer(parts_, past);
  count_lost_pages();
  count_read_ahead(parts_.front, past);
  parts_.layer.reset();
  parts_.config = design;
  parts_.front.redesign(design, timed);
  parts_.scans = ScanTimer(design.ftl.refresh.scan_every);
  drive_.idle_time_.redesign(design);
  parts_.back.redesign(design, timed);
  drive_.clear_commands();
  parts_.layer = parts_.back.new_layer(design, parts_.seed);
  parts_.hand_over();
  const std::vector<std::string> problems = inspect(*parts_.layer);
  if (!problems.empty()) throw std::runtime_error(problems.front());
}

}  // namespace ftlab
