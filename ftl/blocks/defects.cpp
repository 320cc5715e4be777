#include "ftl/blocks/defects.h"

#include <algorithm>

namespace ftlab {
namespace {

std::string block_name(std::uint32_t block) { return "block " + std::to_string(block); }
std::string name_of(SuperblockId superblock) { return "superblock " + std::to_string(number(superblock)); }

// Number of superblocks that share one block row.
std::uint32_t groups_of(const Geometry& geometry, SuperblockShape shape) {
  return geometry.dies() / shape.dies * (geometry.planes_per_die / shape.planes);
}

bool is_good(BlockUse use) { return use == BlockUse::serving || use == BlockUse::spare; }

}  // namespace

Defects::Defects(std::uint32_t superblocks, std::uint32_t groups, std::uint32_t lanes_per_superblock)
    : groups_(groups),
      rows_(groups == 0 ? 0 : superblocks / groups),
      lanes_(lanes_per_superblock),
      serving_(std::size_t{superblocks} * lanes_per_superblock),
      use_(std::size_t{superblocks} * lanes_per_superblock, BlockUse::serving),
      next_spare_(std::size_t{superblocks} * lanes_per_superblock, kNone),
      first_spare_(std::size_t{groups} * lanes_per_superblock, kNone),
      spares_(std::size_t{groups} * lanes_per_superblock) {
  FTLAB_CHECK(groups > 0 && lanes_per_superblock > 0, "a superblock without a lane, or no lane group");
  FTLAB_CHECK(superblocks % groups == 0, std::to_string(superblocks) + " superblocks do not fill the rows of their groups");
  FTLAB_CHECK(std::uint64_t{superblocks} * lanes_per_superblock < kNone, "more blocks than 32 bits can number");
  for (std::uint32_t b = 0; b < block_count(); ++b) serving_[b] = b;
}

Defects::Defects(const Geometry& geometry, SuperblockShape shape)
    : Defects(groups_of(geometry, shape) * geometry.blocks_per_plane, groups_of(geometry, shape),
              shape.dies * shape.planes) {}

void Defects::start(const std::function<bool(std::uint32_t)>& factory_bad) {
  FTLAB_CHECK(factory_bad_ == 0 && grown_bad_ == 0 && retired_ == 0,
              "the factory's bad blocks are taken out first, and once");
  for (std::uint32_t b = 0; b < block_count(); ++b) {
    if (!factory_bad(b)) continue;
    use_[b] = BlockUse::factory_bad;
    ++factory_bad_;
  }
  for (std::uint32_t group = 0; group < groups_; ++group) start_group(group);
}

// Dissolves the last rows until the lane with the fewest good blocks has no spare; every other lane then has a spare for
// each of its remaining bad blocks.
void Defects::start_group(std::uint32_t group) {
  const std::uint32_t usable_rows = fewest_good(group);
  for (std::uint32_t row = rows_; row-- > usable_rows;) dissolve(superblock_at(group, row));
  for (std::uint32_t row = 0; row < usable_rows; ++row) {
    const SuperblockId superblock = superblock_at(group, row);
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      if (!is_good(use_[physical_block(superblock, lane)])) replace(superblock, lane);
    }
  }
}

std::uint32_t Defects::fewest_good(std::uint32_t group) const {
  std::uint32_t fewest = rows_;
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    std::uint32_t good = 0;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      good += is_good(use_[number(superblock_at(group, row)) * lanes_ + lane]);
    }
    fewest = std::min(fewest, good);
  }
  return fewest;
}

void Defects::mark_failed(SuperblockId superblock, std::uint32_t lane) {
  FTLAB_CHECK(number(superblock) < superblocks() && lane < lanes_, name_of(superblock) + " has no such lane");
  const std::uint32_t block = physical_block(superblock, lane);
  FTLAB_CHECK(use_[block] == BlockUse::serving, block_name(block) + " fails, but did not serve");
  use_[block] = BlockUse::grown_bad;
  ++grown_bad_;
}

Defects::Outcome Defects::fail(SuperblockId superblock, std::span<const std::uint32_t> lanes) {
  FTLAB_CHECK(!lanes.empty(), name_of(superblock) + " fails without a failed block");
  for (const std::uint32_t lane : lanes) mark_failed(superblock, lane);
  const std::uint32_t group = group_of(superblock);
  const bool spared = std::all_of(lanes.begin(), lanes.end(), [&](std::uint32_t lane) { return spares(group, lane) > 0; });
  if (!spared) {
    dissolve(superblock);
    return Outcome::retired;
  }
  for (const std::uint32_t lane : lanes) replace(superblock, lane);
  return Outcome::replaced;
}

void Defects::dissolve(SuperblockId superblock) {
  FTLAB_CHECK(!retired(superblock), name_of(superblock) + " is dissolved twice");
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    std::uint32_t& block = serving_[number(superblock) * lanes_ + lane];
    if (is_good(use_[block])) add_spare(block);
    block = kNone;
  }
  ++retired_;
}

void Defects::replace(SuperblockId superblock, std::uint32_t lane) {
  const std::uint32_t spare = take_spare(group_of(superblock) * lanes_ + lane);
  serving_[number(superblock) * lanes_ + lane] = spare;
}

void Defects::add_spare(std::uint32_t block) {
  FTLAB_CHECK(use_[block] == BlockUse::serving, block_name(block) + " becomes a spare, but did not serve");
  const std::uint32_t of = group_lane(block);
  use_[block] = BlockUse::spare;
  next_spare_[block] = first_spare_[of];
  first_spare_[of] = block;
  ++spares_[of];
}

std::uint32_t Defects::take_spare(std::uint32_t group_lane) {
  const std::uint32_t block = first_spare_[group_lane];
  FTLAB_CHECK(block != kNone, "lane " + std::to_string(group_lane) + " has no spare block left");
  FTLAB_CHECK(use_[block] == BlockUse::spare, block_name(block) + " is listed as a spare, but is none");
  first_spare_[group_lane] = next_spare_[block];
  next_spare_[block] = kNone;
  use_[block] = BlockUse::serving;
  --spares_[group_lane];
  return block;
}

void Defects::inspect_uses() const {
  std::uint64_t uses[4] = {};
  for (const BlockUse use : use_.view()) ++uses[static_cast<int>(use)];
  FTLAB_CHECK(uses[0] == std::uint64_t{usable()} * lanes_, "blocks serve that belong to no superblock");
  FTLAB_CHECK(uses[2] == factory_bad_ && uses[3] == grown_bad_, "bad blocks were miscounted");
  std::uint64_t spares = 0;
  for (const std::uint32_t count : spares_.view()) spares += count;
  FTLAB_CHECK(uses[1] == spares, "spare blocks were miscounted");
}

// A block that serves twice would be missing elsewhere; inspect_uses() has checked the counts.
void Defects::inspect_superblocks() const {
  Column<std::uint8_t> seen(block_count());
  for (std::uint32_t s = 0; s < superblocks(); ++s) {
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      const std::uint32_t block = serving_[s * lanes_ + lane];
      FTLAB_CHECK((block == kNone) == retired(SuperblockId{s}),
                  name_of(SuperblockId{s}) + " is neither complete nor retired");
      if (block == kNone) continue;
      FTLAB_CHECK(use_[block] == BlockUse::serving && !seen[block], block_name(block) + " serves without right, or twice");
      FTLAB_CHECK(group_lane(block) == group_of(SuperblockId{s}) * lanes_ + lane,
                  block_name(block) + " serves on another lane");
      seen[block] = 1;
    }
  }
}

void Defects::inspect_spares() const {
  for (std::uint32_t of = 0; of < spares_.size(); ++of) {
    std::uint32_t count = 0;
    for (std::uint32_t block = first_spare_[of]; block != kNone; block = next_spare_[block], ++count) {
      FTLAB_CHECK(count < spares_[of] && use_[block] == BlockUse::spare, "a list of spares holds what is none");
      FTLAB_CHECK(group_lane(block) == of, block_name(block) + " is a spare of another lane");
    }
    FTLAB_CHECK(count == spares_[of], "spare blocks have been lost");
  }
}

void Defects::inspect() const {
  inspect_uses();
  inspect_superblocks();
  inspect_spares();
  for (std::uint32_t group = 0; group < groups_; ++group) {
    std::uint32_t usable_rows = 0;
    for (std::uint32_t row = 0; row < rows_; ++row) usable_rows += !retired(superblock_at(group, row));
    FTLAB_CHECK(usable_rows == fewest_good(group), "group " + std::to_string(group) + " has lost a superblock without need");
  }
}

}  // namespace ftlab
