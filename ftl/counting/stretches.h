// Where the pages of each superblock lie, in stretches of slots, for aging by counting.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/array/layout.h"
#include "sim/core/column.h"
#include "sim/core/random.h"

namespace ftlab {

// Adjacent slots of a superblock, all programmed; `current` of their pages are still valid.
struct Stretch {
  static constexpr std::uint32_t kWritten = 0xffff'ffff;  // the origin of pages written since the start
  std::uint32_t slots = 0;
  std::uint32_t current = 0;
  // Superblock of its pages at the start, and which of the valid pages there, in order: `current` of [first, end).
  std::uint32_t origin = kWritten;
  std::uint32_t first = 0, end = 0;
};

class Stretches {
 public:
  Stretches(std::uint32_t superblocks, std::uint64_t seed);

  // Adds a stretch after the last one, or extends the last one if the pages continue it. REQUIRES: settle() was called.
  void append(SuperblockId block, const Stretch& part);
  // Takes at most `most` pages of the first stretch that has some. If it is split, its range of original pages is split in
  // proportion. REQUIRES: settle() was called; the superblock has a page.
  Stretch take(SuperblockId block, std::uint32_t most);
  // The superblock has `valid` pages left. Draws which of its pages became stale: each set is equally likely.
  void settle(SuperblockId block, std::uint32_t valid);
  void clear(SuperblockId block);

  const std::vector<Stretch>& of(SuperblockId block) const { return stretches_[number(block)]; }

 private:
  std::vector<std::vector<Stretch>> stretches_;
  Column<std::uint32_t> current_;  // pages of all stretches of a superblock
  Column<std::uint32_t> first_;    // no stretch of the superblock before this one has pages left
  RandomStream random_;
};

}  // namespace ftlab
