// One bit per page of every superblock: set if the page is valid.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/prefetch.h"

namespace ftlab {

class ValidBits {
 public:
  explicit ValidBits(const Layout& layout)
      : pages_(layout.pages_per_superblock()),
        words_per_block_((pages_ + 63) / 64),
        bits_(std::size_t{layout.superblocks()} * words_per_block_) {}

  bool test(SuperblockId block, std::uint32_t position) const {
    FTLAB_DCHECK(position < pages_, location(block, position) + " does not exist");
    return words(block)[position / 64] >> (position % 64) & 1;
  }
  // The bits of a superblock, 64 pages per word; 0 beyond its end.
  const std::uint64_t* words(SuperblockId block) const { return &bits_[std::size_t{number(block)} * words_per_block_]; }
  std::uint32_t words_per_block() const { return words_per_block_; }
  // Calls each(position) for the valid pages of a superblock, in order.
  template <class Each>
  void each(SuperblockId block, Each&& each) const {
    const std::uint64_t* const words = this->words(block);
    for (std::uint32_t w = 0; w < words_per_block_; ++w)
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1)
        each(w * 64 + static_cast<std::uint32_t>(std::countr_zero(word)));
  }
  void prefetch(SuperblockId block, std::uint32_t position) const { prefetch_to_write(words(block) + position / 64); }

  void set(SuperblockId block, std::uint32_t position) {
    std::uint64_t& word = words(block)[position / 64];
    FTLAB_CHECK((word >> (position % 64) & 1) == 0, location(block, position) + " is current already");
    word |= std::uint64_t{1} << (position % 64);
  }
  void clear(SuperblockId block, std::uint32_t position) {
    std::uint64_t& word = words(block)[position / 64];
    FTLAB_CHECK((word >> (position % 64) & 1) == 1, location(block, position) + " is not current");
    word ^= std::uint64_t{1} << (position % 64);
  }
  void set_run(SuperblockId block, std::uint32_t first, std::uint32_t count);
  // REQUIRES: all of them are set.
  void clear_run(SuperblockId block, std::uint32_t first, std::uint32_t count);
  // Clears all bits set in [lowest, highest]. REQUIRES: there are exactly `count`.
  void clear_between(SuperblockId block, std::uint32_t lowest, std::uint32_t highest, std::uint32_t count);

  template <class A>
  void archive(A& archive) {
    archive.section("valid bits");
    archive.column(bits_);
  }

 private:
  friend struct BrokenDrive;
  static std::string location(SuperblockId block, std::uint32_t position) {
    return "page " + std::to_string(position) + " of superblock " + std::to_string(number(block));
  }
  // Calls each(word, bits) for the words that hold bits [first, first + count).
  template <class Each>
  [[gnu::always_inline]] void each_word(SuperblockId block, std::uint32_t first, std::uint32_t count, Each&& each) {
    std::uint64_t* const words = this->words(block);
    while (count > 0) {
      const std::uint32_t bit = first % 64, here = std::min(count, 64 - bit);
      each(words[first / 64], (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << bit);
      first += here;
      count -= here;
    }
  }
  std::uint64_t* words(SuperblockId block) { return &bits_[std::size_t{number(block)} * words_per_block_]; }

  std::uint32_t pages_, words_per_block_;
  Column<std::uint64_t> bits_;
};

inline void ValidBits::set_run(SuperblockId block, std::uint32_t first, std::uint32_t count) {
  FTLAB_DCHECK(first + count <= pages_, location(block, first) + " and the next leave their superblock");
  each_word(block, first, count, [&](std::uint64_t& word, std::uint64_t bits) {
    FTLAB_CHECK((word & bits) == 0, location(block, first) + " or one of the next is current already");
    word |= bits;
  });
}

inline void ValidBits::clear_run(SuperblockId block, std::uint32_t first, std::uint32_t count) {
  FTLAB_DCHECK(first + count <= pages_, location(block, first) + " and the next leave their superblock");
  each_word(block, first, count, [&](std::uint64_t& word, std::uint64_t bits) {
    FTLAB_CHECK((word & bits) == bits, location(block, first) + " or one of the next is not current");
    word ^= bits;
  });
}

inline void ValidBits::clear_between(SuperblockId block, std::uint32_t lowest, std::uint32_t highest, std::uint32_t count) {
  FTLAB_DCHECK(lowest <= highest && highest < pages_, location(block, lowest) + " and the next");
  std::uint64_t* const words = this->words(block);
  std::uint64_t mask = ~std::uint64_t{0} << lowest % 64;
  std::uint32_t found = 0;
  for (std::uint32_t word = lowest / 64; word <= highest / 64; ++word, mask = ~std::uint64_t{0}) {
    if (word == highest / 64) mask &= ~std::uint64_t{0} >> (63 - highest % 64);
    found += static_cast<std::uint32_t>(std::popcount(words[word] & mask));
    words[word] &= ~mask;
  }
  FTLAB_CHECK(found == count, location(block, lowest) + " and the next: " + std::to_string(found) + " are current");
}

}  // namespace ftlab
