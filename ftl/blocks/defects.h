// Which blocks of the flash make up a superblock, if not all of them are good. A superblock has one block on each of its
// lanes (a lane is a plane of a die); superblock s is in lane group s % groups and row s / groups, as in
// models/nand/array/layout.h. Block `superblock * lanes_per_superblock + lane` is the superblock's original block.
//
// A block can only serve on its own lane. Replacements come from dissolved superblocks, whose good blocks become the spares
// of their lanes. So in every group, at all times,
//
//   usable superblocks = the fewest good blocks on any of the group's lanes
//
// which is the maximum; at least one lane then has no spare. Erase counts are kept elsewhere: a block that moves to another
// superblock keeps its own wear.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"

namespace ftlab {

enum class BlockUse : std::uint8_t { serving, spare, factory_bad, grown_bad };

class Defects {
 public:
  enum class Outcome : std::uint8_t { replaced, retired };

  // All blocks are good. REQUIRES: groups divides superblocks. Memory: 9 bytes a block.
  Defects(std::uint32_t superblocks, std::uint32_t groups, std::uint32_t lanes_per_superblock);
  Defects(const Geometry& geometry, SuperblockShape shape);

  // Takes out the factory bad blocks, dissolving as few rows of each group as possible, from the last one on. Calls
  // factory_bad once for each block, in ascending order. O(blocks). REQUIRES: called once, before anything else.
  void start(const std::function<bool(std::uint32_t)>& factory_bad);

  // The block on this lane failed. `replaced`: a spare serves instead; erase it before use. `retired`: no spare was left,
  // and the superblock is dissolved. O(lanes). REQUIRES: the superblock is not retired and holds no valid data.
  Outcome fail(SuperblockId superblock, std::uint32_t lane) { return fail(superblock, {&lane, 1}); }
  // Like above, for several blocks: replaced if each of them has a spare. REQUIRES: at least one lane, no duplicates.
  Outcome fail(SuperblockId superblock, std::span<const std::uint32_t> lanes);

  // Takes 1 ns. REQUIRES: the superblock is not retired.
  std::uint32_t physical_block(SuperblockId superblock, std::uint32_t lane) const {
    const std::uint32_t block = serving_[number(superblock) * lanes_ + lane];
    FTLAB_CHECK(block != kNone, "superblock " + std::to_string(number(superblock)) + " is retired and has no blocks");
    return block;
  }
  bool retired(SuperblockId superblock) const { return serving_[number(superblock) * lanes_] == kNone; }

  std::uint32_t superblocks() const { return groups_ * rows_; }
  std::uint32_t lanes_per_superblock() const { return lanes_; }
  std::uint32_t block_count() const { return static_cast<std::uint32_t>(use_.size()); }
  BlockUse use(std::uint32_t block) const { return use_[block]; }
  // Lane group and lane in one number: group * lanes_per_superblock + lane.
  std::uint32_t group_lane(std::uint32_t block) const { return block / lanes_ % groups_ * lanes_ + block % lanes_; }
  std::uint32_t group_of(SuperblockId superblock) const { return number(superblock) % groups_; }

  std::uint32_t usable() const { return superblocks() - retired_; }  // superblocks
  std::uint32_t factory_bad() const { return factory_bad_; }         // blocks, like the next two
  std::uint32_t grown_bad() const { return grown_bad_; }
  std::uint32_t spares(std::uint32_t group, std::uint32_t lane) const { return spares_[group * lanes_ + lane]; }
  // All spares: every good block that serves in no superblock.
  std::uint32_t spares() const { return block_count() - usable() * lanes_ - factory_bad_ - grown_bad_; }

  // Checks that every block is in exactly one place, and the equation above. O(blocks).
  void inspect() const;

  template <class A>
  void archive(A& archive) {
    archive.section("defects");
    archive.column(serving_);
    archive.column(use_);
    archive.column(next_spare_);
    archive.column(first_spare_);
    archive.column(spares_);
    archive.value(retired_);
    archive.value(factory_bad_);
    archive.value(grown_bad_);
  }

 private:
  friend struct BrokenDrive;
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  SuperblockId superblock_at(std::uint32_t group, std::uint32_t row) const { return SuperblockId{row * groups_ + group}; }
  std::uint32_t fewest_good(std::uint32_t group) const;
  void mark_failed(SuperblockId superblock, std::uint32_t lane);
  void start_group(std::uint32_t group);
  void dissolve(SuperblockId superblock);
  void replace(SuperblockId superblock, std::uint32_t lane);
  void add_spare(std::uint32_t block);
  std::uint32_t take_spare(std::uint32_t group_lane);
  void inspect_uses() const;
  void inspect_superblocks() const;
  void inspect_spares() const;

  std::uint32_t groups_;
  std::uint32_t rows_;
  std::uint32_t lanes_;  // per superblock

  Column<std::uint32_t> serving_;      // by superblock and lane; kNone on all lanes of a retired superblock
  Column<BlockUse> use_;               // by block
  Column<std::uint32_t> next_spare_;   // by block: the next spare of the same lane
  Column<std::uint32_t> first_spare_;  // by group and lane; the last spare added is taken first
  Column<std::uint32_t> spares_;       // by group and lane
  std::uint32_t retired_ = 0;
  std::uint32_t factory_bad_ = 0;
  std::uint32_t grown_bad_ = 0;
};

}  // namespace ftlab
