// Speed of each block relative to the data sheet: blocks differ from the factory on and change with wear. An operation on
// several planes takes as long as on the slowest one. Factors are integers in permille, drawn once for a specimen: a
// function of (specimen, superblock, die, plane), not state. The effect of wear follows from the erase counts.
//
// Not modelled: differences between pages of a block beyond their kind, temperature, and the own speed of a spare block that
// replaces a bad one.
#pragma once

#include <cstdint>
#include <span>

#include "models/nand/array/layout.h"
#include "models/nand/timing/timing.h"
#include "sim/core/column.h"

namespace ftlab {

class BlockSpeed {
 public:
  // All blocks always take the data-sheet times.
  BlockSpeed() = default;
  // `specimen`: which of many identical drives. `worn_cycles`: erases of all blocks in addition to the counted ones. Memory:
  // up to 6 bytes per block, only for what varies.
  BlockSpeed(const NandTiming& timing, const Layout& layout, std::uint64_t specimen, std::uint32_t worn_cycles = 0);

  // Sets the erase count of one superblock, after each of its erases, or the counts of all superblocks.
  void set_erases(SuperblockId block, std::uint32_t erases);
  void set_erases(std::span<const std::uint32_t> by_superblock);

  // Time in these blocks of an operation that takes `time` by the data sheet. 1 to 5 ns.
  Nanoseconds read(Nanoseconds time, Die die, const FlashPage& page) const;
  Nanoseconds program(Nanoseconds time, Die die, SuperblockId block) const {
    return scaled(time, die, block, program_, program_wear_);
  }
  Nanoseconds erase(Nanoseconds time, Die die, SuperblockId block) const {
    return scaled(time, die, block, erase_, erase_wear_);
  }

  bool reads_vary() const { return read_.size() > 0; }

 private:
  using Permille = std::uint16_t;

  std::size_t index_of(Die die, SuperblockId block) const {
    return number(block) * std::size_t{dies_.value()} + number(die) % dies_;
  }
  Nanoseconds scaled(Nanoseconds time, Die die, SuperblockId block, const Column<Permille>& of_block,
                     const Column<Permille>& of_wear) const;

  WearTimes wear_;
  std::uint32_t worn_cycles_ = 0;
  Divisor dies_;  // per superblock
  std::uint32_t planes_ = 1;
  Column<Permille> read_;     // by superblock, die, plane
  Column<Permille> program_;  // by superblock and die: that of the slowest plane
  Column<Permille> erase_;
  Column<Permille> program_wear_;  // by superblock
  Column<Permille> erase_wear_;
};

inline Nanoseconds BlockSpeed::scaled(Nanoseconds time, Die die, SuperblockId block, const Column<Permille>& of_block,
                                      const Column<Permille>& of_wear) const {
  if (block == kNoBlock || (of_block.size() == 0 && of_wear.size() == 0)) return time;
  const std::uint64_t born = of_block.size() > 0 ? of_block[index_of(die, block)] : 1000;
  const std::uint64_t worn = of_wear.size() > 0 ? of_wear[number(block)] : 1000;
  return Nanoseconds{(time.count() * born * worn + 500'000) / 1'000'000};  // 10^9 ns * 1600 * 21000 < 2^64
}

}  // namespace ftlab
