// Measures how well real data can be compressed and deduplicated: each block of a file is compressed separately, as in a
// drive, by zstd at level 1. For choosing the share that a job's content states; not used in any run, because another
// version of the library may compress slightly differently.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace ftlab {

class ContentMeasure {
 public:
  // REQUIRES: block_bytes > 0. Memory: about 40 bytes per distinct block.
  explicit ContentMeasure(std::size_t block_bytes);

  // Adds one block; the last one of a file may be shorter, and counts by its length. About 10 us for 4 KiB.
  void add(std::span<const char> block);

  std::uint64_t blocks() const { return blocks_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t stored_bytes() const { return stored_bytes_; }  // incompressible blocks count in full
  std::uint64_t repeated_blocks() const { return repeated_; }   // equal to an earlier one
  // Number of blocks by the share that is left, in tenths: the first counts those of which at most a tenth is left.
  const std::array<std::uint64_t, 10>& by_tenth() const { return by_tenth_; }
  double stored_share() const { return bytes_ == 0 ? 1 : static_cast<double>(stored_bytes_) / static_cast<double>(bytes_); }
  double repeated_share() const { return blocks_ == 0 ? 0 : static_cast<double>(repeated_) / static_cast<double>(blocks_); }

 private:
  std::vector<char> room_;
  std::unordered_set<std::uint64_t> seen_;  // hashes of blocks; never iterated
  std::uint64_t blocks_ = 0, bytes_ = 0, stored_bytes_ = 0, repeated_ = 0;
  std::array<std::uint64_t, 10> by_tenth_{};
};

}  // namespace ftlab
