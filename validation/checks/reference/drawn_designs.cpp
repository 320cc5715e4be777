#include "validation/checks/reference/drawn_designs.h"

namespace ftlab::testing {

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
