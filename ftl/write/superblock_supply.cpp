#include "ftl/write/superblock_supply.h"

#include <algorithm>

namespace ftlab {

SuperblockSupply::SuperblockSupply(const FtlConfig& config, std::uint32_t host_lpns, Blocks& blocks, Medium& medium,
                                   BadBlockTable* health)
    : blocks_(blocks),
      medium_(medium),
      health_(health),
      order_(config.wear.least_worn_first ? FreeOrder::least_worn : FreeOrder::fifo),
      levels_cache_(config.slc.superblocks > 0 && health != nullptr),
      translation_frontier_(config.translation_frontier()),
      unit_superblocks_(config.placement.reclaim_unit),
      identifiers_(config.placement.identifiers()),
      set_aside_(config.frontiers().size()) {
  for (std::uint32_t pool = 0; pool < config.pool_count(); ++pool) {
    reserve_.push_back(config.reserve(pool));
    if (health != nullptr) needed_.push_back(superblocks_needed_of(config, blocks.layout(), pool, host_lpns));
  }
}

SuperblockId SuperblockSupply::open(const Frontier& frontier, bool pslc, std::uint64_t host_pages) {
  const std::uint32_t pool = frontier.plan().pool;
  std::vector<SuperblockId>& unit = set_aside_[frontier.number()];
  if (unit.empty()) {
    units_opened_ += frontier.number() < identifiers_;
    for (std::uint32_t left = std::min(frontier.plan().superblocks, blocks_.free().count(pool)); left > 0; --left)
      unit.push_back(blocks_.open(pool, host_pages, order(frontier), medium_.superblocks().erase_counts()));
  }
  FTLAB_CHECK(!unit.empty(), "frontier " + std::to_string(frontier.number()) + " has no superblock set aside");
  const SuperblockId block = unit.front();
  unit.erase(unit.begin());
  medium_.open(block, frontier.number(), pslc);
  return block;
}

bool SuperblockSupply::may_lack_room() const {
  return room_lost_ || (health_ != nullptr &&
                        (blocks_.free().retired() > 0 || health_->program_failures() > 0 || health_->erase_failures() > 0));
}

// The pool with the most superblocks beyond its need; superblocks lost to factory bad blocks are charged to it.
std::uint32_t SuperblockSupply::richest_pool() const {
  const auto spare = [this](std::uint32_t pool) {
    return std::int64_t{blocks_.free().quota(pool)} - static_cast<std::int64_t>(needed_[pool]);
  };
  std::uint32_t richest = 0;
  for (std::uint32_t pool = 1; pool < needed_.size(); ++pool)
    if (spare(pool) > spare(richest)) richest = pool;
  return richest;
}

void SuperblockSupply::retire(SuperblockId block) {
  FTLAB_DCHECK(blocks_.state(block) == BlockState::retired, "a superblock in use is charged to its pool");
  FTLAB_DCHECK(health_ != nullptr, "a superblock of a flash that does not fail is retired");
  const std::uint32_t pool = blocks_.columns().pool[number(block)];
  health_->charge(block, pool);
  check_need(pool);
}

void SuperblockSupply::retire_at_start() {
  if (health_ == nullptr) return;
  for (std::uint32_t b = 0; b < blocks_.count(); ++b) {
    const SuperblockId block{b};
    if (!health_->defects().retired(block)) continue;
    if (health_->charged_pool(block) == BadBlockTable::kNoPool) health_->charge(block, richest_pool());
    blocks_.adopt(block, BlockState::retired, health_->charged_pool(block));
  }
  for (std::uint32_t pool = 0; pool < needed_.size(); ++pool) check_need(pool);
}

}  // namespace ftlab
