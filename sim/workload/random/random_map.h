// The blocks that a random job has touched in this pass: one bit per block, above it one bit per full word of 64, and so on,
// so that the next free block is found in a few steps however full the map is. Takes 1.6 % more memory than the bits alone.
#pragma once

#include <cstdint>
#include <vector>

namespace ftlab {

class RandomMap {
 public:
  RandomMap() = default;  // an empty map
  explicit RandomMap(std::uint64_t count);

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // The first free block at or after `block`, wrapping to block 0 at the end; kNone if all are taken.
  // REQUIRES: block < count. At most two steps per level: 4 levels for 16 M blocks.
  std::uint64_t next_free(std::uint64_t block) const;

  // O(1), and O(levels) for the last free block of a word.
  void take(std::uint64_t block);

  // Takes `block` and the free blocks right after it, at most `count` in all; returns their number. REQUIRES: block is free.
  std::uint64_t take_run(std::uint64_t block, std::uint64_t count);

  // Frees all blocks. O(count / 64).
  void clear();

 private:
  bool is_free(std::uint64_t block) const { return (levels_[0][block / 64] >> (block % 64) & 1) == 0; }
  std::uint64_t free_at_or_after(std::uint64_t block) const;

  std::uint64_t count_ = 0;
  std::vector<std::vector<std::uint64_t>> levels_;  // [0] has the bits of blocks; bits beyond the end count as taken
};

}  // namespace ftlab
