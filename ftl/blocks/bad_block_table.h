// What wears out and what fails, of every block of the flash: how often it was erased, whether a program or an erase of it
// fails, and which blocks make up a superblock after that. Kept in the flash like the medium's contents: a power cut does
// not change it. A drive whose file names no endurance has none of it.
//
//   program fails   the block serves until its superblock is reclaimed, then it is bad
//   erase fails     by chance, or because the block has reached its limit: it is bad at once
//   a bad block     is replaced by a spare of its lane, which is erased before use (and may fail, too); without one the
//                   superblock is retired and its good blocks become spares
//
// What is done about data on the way to a failed program, and when the superblocks that are left no longer suffice, is
// decided in ftl/write: stage_retry, superblock_supply.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/blocks/defects.h"
#include "models/nand/array/layout.h"
#include "models/nand/reliability/endurance.h"

namespace ftlab {

class BadBlockTable {
 public:
  // The blocks' limits and the factory's bad blocks are those of the specimen that the configuration names.
  // Memory: 19 bytes a block.
  BadBlockTable(const EnduranceConfig& config, const Geometry& geometry, SuperblockShape shape);

  // One program of the superblock's planes on `die`. True: a page of it failed, the whole stripe is lost. A draw a plane.
  bool program_fails(SuperblockId superblock, Die die);
  // False: it was retired. REQUIRES: no current data. Which lanes got a spare, erased in turn, is in replaced_lanes().
  bool erase(SuperblockId superblock);
  const std::vector<std::uint32_t>& replaced_lanes() const { return replaced_; }

  // The pool that gave up a retired superblock; the factory's belong to none until one is charged.
  static constexpr std::uint8_t kNoPool = 0xff;
  std::uint8_t charged_pool(SuperblockId superblock) const { return charged_[number(superblock)]; }
  void charge(SuperblockId superblock, std::uint32_t pool);

  const Defects& defects() const { return defects_; }
  const Endurance& endurance() const { return endurance_; }
  // That succeeded; those before the run included.
  std::uint32_t erases(std::uint32_t block) const { return erases_[block]; }
  std::uint64_t block_erases() const { return block_erases_; }                  // of all blocks in this run
  std::uint64_t squared_block_erases() const { return squared_block_erases_; }  // of each block, summed
  std::uint64_t spare_erases() const { return spare_erases_; }                  // tried, of spares that came to serve
  std::uint64_t spared_erases() const { return spared_erases_; }                // not tried: a program had failed there
  std::uint64_t program_failures() const { return program_failures_; }          // pages
  std::uint64_t erase_failures() const { return erase_failures_; }              // blocks

  // Checks the sums over the blocks and the composition of the superblocks. O(blocks).
  void inspect() const;

  template <class A>
  void archive(A& archive) {
    archive.section("flash health");
    endurance_.archive(archive);
    defects_.archive(archive);
    archive.column(erases_);
    archive.column(failing_);
    archive.column(charged_);
    for (auto* count : {&block_erases_, &spare_erases_, &spared_erases_, &program_failures_, &erase_failures_}) {
      archive.value(*count);
    }
    squared_block_erases_ = sum_of_squares();
  }

 private:
  bool erase_block(std::uint32_t block);
  bool replace(SuperblockId superblock, std::vector<std::uint32_t> failed);
  std::uint64_t sum_of_squares() const;

  SuperblockShape shape_;
  std::uint32_t worn_cycles_;
  Defects defects_;
  Endurance endurance_;
  Column<std::uint32_t> erases_;
  Column<std::uint8_t> failing_;  // by block: a program failed; to be taken out at its next erase
  Column<std::uint8_t> charged_;  // by superblock
  std::vector<std::uint32_t> replaced_;
  std::uint64_t block_erases_ = 0;
  std::uint64_t squared_block_erases_ = 0;  // follows from erases_, so it is not saved
  std::uint64_t spare_erases_ = 0;
  std::uint64_t spared_erases_ = 0;
  std::uint64_t program_failures_ = 0;
  std::uint64_t erase_failures_ = 0;
};

}  // namespace ftlab
