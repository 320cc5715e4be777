// Wear and failures of every block of the flash: how often it was erased, whether a program or an erase of it fails, and
// which blocks make up a superblock afterwards. Persistent like the medium's contents: a power cut does not change it.
// Drives whose file configures no endurance do not have this table.
//
//   program fails   the block stays in use until its superblock is reclaimed, then it is bad
//   erase fails     at random, or because the block has reached its limit: it is bad at once
//   bad block       is replaced by a spare of its lane, which is erased before use (and may also fail); without a spare the
//                   superblock is retired and its good blocks become spares
//
// ftl/write rescues the data of a failed program (stage_retry) and decides when too few superblocks are left
// (superblock_supply).
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/blocks/defects.h"
#include "models/nand/array/layout.h"
#include "models/nand/reliability/endurance.h"
#include "sim/core/check.h"

namespace ftlab {

class BadBlockTable {
 public:
  // Block limits and factory bad blocks are those of the specimen that the configuration names. Memory: 19 bytes a block.
  BadBlockTable(const EnduranceConfig& config, const Geometry& geometry, SuperblockShape shape);

  // Draws one program of the superblock's planes on `die`, plane by plane. True if one failed: the whole stripe is lost.
  bool program_fails(SuperblockId superblock, Die die);
  bool programs_fail() const { return endurance_.programs_fail(); }  // ever
  bool next_erase_may_fail(SuperblockId superblock) const {
    return endurance_.erases_fail_early() || !survives(superblock, 1);
  }
  // True if `times` more erases of the superblock succeed: no block of it has failed a program, or reaches its limit.
  // REQUIRES: none fails early (EnduranceConfig::fails_early()).
  bool survives(SuperblockId superblock, std::uint32_t times) const;
  // Counts that many erases. REQUIRES: survives().
  void count_erases(SuperblockId superblock, std::uint32_t times);
  // False if it was retired. replaced_lanes(): lanes that got a spare, which was also erased. REQUIRES: no valid data.
  bool erase(SuperblockId superblock);
  const std::vector<std::uint32_t>& replaced_lanes() const { return replaced_; }

  // The pool to which a retired superblock was charged; kNoPool for factory bad blocks until they are charged.
  static constexpr std::uint8_t kNoPool = 0xff;
  std::uint8_t charged_pool(SuperblockId superblock) const { return charged_[number(superblock)]; }
  void charge(SuperblockId superblock, std::uint32_t pool);

  const Defects& defects() const { return defects_; }
  const Endurance& endurance() const { return endurance_; }
  // Successful erases of the block, including those before the run.
  std::uint32_t erases(std::uint32_t block) const {
    FTLAB_DCHECK(block < defects_.block_count(), "erases of block " + std::to_string(block) + ", which there is not");
    return erases_[block];
  }
  std::uint64_t block_erases() const { return block_erases_; }                  // all blocks, this run only
  std::uint64_t squared_block_erases() const { return squared_block_erases_; }  // sum of squares over the blocks
  std::uint64_t spare_erases() const { return spare_erases_; }                  // attempts, of spares that take over
  std::uint64_t skipped_erases() const { return spared_erases_; }               // skipped: a program had failed there
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
  Column<std::uint8_t> failing_;  // by block: a program failed; taken out at its next erase
  Column<std::uint8_t> charged_;  // by superblock
  std::vector<std::uint32_t> replaced_;
  std::uint64_t block_erases_ = 0;
  std::uint64_t squared_block_erases_ = 0;  // derived from erases_, so not saved
  std::uint64_t spare_erases_ = 0;
  std::uint64_t spared_erases_ = 0;
  std::uint64_t program_failures_ = 0;
  std::uint64_t erase_failures_ = 0;
};

}  // namespace ftlab
