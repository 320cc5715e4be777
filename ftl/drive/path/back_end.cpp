#include "ftl/drive/path/back_end.h"

#include <utility>

namespace ftlab {
namespace {

std::uint32_t frontiers_of(const DriveConfig& config) { return static_cast<std::uint32_t>(config.ftl.frontiers().size()); }

// The cells have the same initial wear as the blocks.
CellsConfig cells_of(const DriveConfig& config) {
  CellsConfig cells = config.cells;
  cells.worn_cycles += config.endurance.worn_cycles;
  return cells;
}

}  // namespace

BackEnd::BackEnd(const DriveConfig& config, bool timed)
    : medium(Layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes()), config.ftl.compression.on()),
      work(config.geometry, config.nand, frontiers_of(config), timed, config.power.has_value()) {
  const EnduranceConfig& endurance = config.endurance;
  if (endurance.ends()) health.emplace(endurance, config.geometry, config.ftl.superblock);
  if (config.cells.err()) errors.emplace(cells_of(config), config.geometry, config.nand, medium);
  if (endurance.life_curve.on()) {
    life_curve.emplace(endurance.life_curve, medium.layout().page_count(), endurance.program_erase_limit,
                       endurance.worn_cycles);
  }
  if (config.ftl.deduplication.on()) deduplication.emplace(config.ftl.deduplication, config.logical_pages());
  FTLAB_CHECK(!health || config.ftl.failure_reserve > 0, "a layer whose reserve does not fit the flash it is for");
  make_engine(config, timed);
}

void BackEnd::make_engine(const DriveConfig& config, bool timed) {
  const FlashUse use = engine ? engine->use() : FlashUse{};
  engine.emplace(config.geometry, config.nand, frontiers_of(config),
                 BlockSpeed(config.nand, medium.layout(), config.endurance.specimen, config.endurance.worn_cycles), use);
  engine->set_erases(medium.superblocks().erase_counts());
  set_timed(timed);
}

void BackEnd::redesign(const DriveConfig& config, bool timed) {
  WorkList next(config.geometry, config.nand, frontiers_of(config), timed, config.power.has_value(), work.count().work());
  work = std::move(next);
  make_engine(config, timed);
}

std::unique_ptr<Ftl> BackEnd::new_layer(const DriveConfig& config, std::uint64_t seed) {
  return std::make_unique<Ftl>(config.ftl, config.logical_pages(), medium, work, seed, health ? &*health : nullptr,
                               errors ? &*errors : nullptr, deduplication ? &*deduplication : nullptr);
}

}  // namespace ftlab
