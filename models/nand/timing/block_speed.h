// How fast each block is beside the data sheet: blocks differ from their factory on, and change with wear. Of operations
// on several planes the slowest plane counts. Factors are permille in integers, drawn once for a specimen, so that they are
// a function of (specimen, superblock, die, plane) and no state; what wear adds follows from the erase counts.
//
// Not modelled: pages of a block that differ beyond their kind, temperature, and that a spare block which takes a bad one's
// place has a speed of its own.
#pragma once

#include <cstdint>
#include <span>

#include "models/nand/array/layout.h"
#include "models/nand/timing/timing.h"
#include "sim/core/column.h"

namespace ftlab {

class BlockSpeed {
 public:
  // All blocks are as the data sheet says, for ever.
  BlockSpeed() = default;
  // `specimen`: which of many equal drives. `worn_cycles`: erases that all blocks have behind them, beside those that are
  // counted. Memory: up to 6 bytes a block, only for what varies.
  BlockSpeed(const NandTiming& timing, const Layout& layout, std::uint64_t specimen, std::uint32_t worn_cycles = 0);

  // The superblock has been erased so often. Call it after each erase, and the other when all counts come from elsewhere.
  void set_erases(SuperblockId block, std::uint32_t erases);
  void set_erases(std::span<const std::uint32_t> by_superblock);

  // What takes `time` by the data sheet takes so long in these blocks. 1 to 5 ns.
  Nanoseconds read(Nanoseconds time, Die die, const FlashPage& page) const;
  Nanoseconds program(Nanoseconds time, Die die, SuperblockId block) const {
    return scaled(time, die, block, program_, program_wear_);
  }
  Nanoseconds erase(Nanoseconds time, Die die, SuperblockId block) const {
    return scaled(time, die, block, erase_, erase_wear_);
  }

  bool reads_vary() const { return read_.size() > 0; }
  // It may be asked of so many.
  std::uint32_t superblocks() const { return superblocks_; }

 private:
  using Permille = std::uint16_t;

  std::size_t index_of(Die die, SuperblockId block) const {
    return number(block) * std::size_t{dies_.value()} + number(die) % dies_;
  }
  Nanoseconds scaled(Nanoseconds time, Die die, SuperblockId block, const Column<Permille>& of_block,
                     const Column<Permille>& of_wear) const;

  WearTimes wear_;
  std::uint32_t superblocks_ = ~std::uint32_t{0};
  std::uint32_t worn_cycles_ = 0;
  Divisor dies_;  // of a superblock
  std::uint32_t planes_ = 1;
  Column<Permille> read_;     // by superblock, die, plane
  Column<Permille> program_;  // by superblock and die: the slowest plane's
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
