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

  // Adds a stretch behind the last one, or lengthens that one if it goes on. REQUIRES: settled.
  void append(SuperblockId block, const Stretch& part);
  // Takes at most `most` pages of the first stretch that has some. If it is split, its range of original pages is split in
  // proportion. REQUIRES: settled; the superblock has a page.
  Stretch take(SuperblockId block, std::uint32_t most);
  // Of the pages that the superblock had, `valid` are left: draws which were lost. Each set is as likely as any other.
  void settle(SuperblockId block, std::uint32_t valid);
  void clear(SuperblockId block);

  const std::vector<Stretch>& of(SuperblockId block) const { return stretches_[number(block)]; }

 private:
  std::vector<std::vector<Stretch>> stretches_;
  Column<std::uint32_t> current_;  // pages of all stretches of a superblock
  RandomStream random_;
};

}  // namespace ftlab
