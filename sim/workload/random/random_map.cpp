#include "sim/workload/random/random_map.h"

#include <algorithm>
#include <bit>

#include "sim/core/check.h"

namespace ftlab {

namespace {
constexpr std::uint64_t kFull = ~std::uint64_t{0};
constexpr std::uint64_t kWordBits = 64;

std::uint64_t words_for(std::uint64_t bits) { return (bits + kWordBits - 1) / kWordBits; }
}  // namespace

RandomMap::RandomMap(std::uint64_t count) : count_(count) {
  FTLAB_CHECK(count > 0, "a random map without blocks");
  std::uint64_t bits = count;
  do {
    bits = words_for(bits);
    levels_.emplace_back(bits);
  } while (bits > 1);
  clear();
}

void RandomMap::clear() {
  std::uint64_t bits = count_;
  for (std::vector<std::uint64_t>& level : levels_) {
    std::fill(level.begin(), level.end(), 0);
    if (bits % kWordBits != 0) level.back() = kFull << (bits % kWordBits);
    bits = level.size();
  }
}

std::uint64_t RandomMap::next_free(std::uint64_t block) const {
  FTLAB_DCHECK(block < count_, "block " + std::to_string(block) + " of " + std::to_string(count_));
  const std::uint64_t found = free_at_or_after(block);
  return found != kNone || block == 0 ? found : free_at_or_after(0);
}

// Climbs until a word has a free bit at or after the block, then descends to the first free block below that bit.
std::uint64_t RandomMap::free_at_or_after(std::uint64_t block) const {
  std::size_t level = 0;
  std::uint64_t free = 0;
  for (;; ++level, block = block / kWordBits + 1) {
    if (level == levels_.size() || block / kWordBits >= levels_[level].size()) return kNone;
    free = ~levels_[level][block / kWordBits] & (kFull << (block % kWordBits));
    if (free != 0) break;
  }
  std::uint64_t found = block / kWordBits * kWordBits + static_cast<std::uint64_t>(std::countr_zero(free));
  for (; level > 0; --level)
    found = found * kWordBits + static_cast<std::uint64_t>(std::countr_one(levels_[level - 1][found]));
  return found;
}

void RandomMap::take(std::uint64_t block) {
  FTLAB_DCHECK(block < count_, "block " + std::to_string(block) + " of " + std::to_string(count_));
  for (std::vector<std::uint64_t>& level : levels_) {
    std::uint64_t& word = level[block / kWordBits];
    word |= std::uint64_t{1} << (block % kWordBits);
    if (word != kFull) return;
    block /= kWordBits;
  }
}

std::uint64_t RandomMap::take_run(std::uint64_t block, std::uint64_t count) {
  FTLAB_DCHECK(is_free(block), "block " + std::to_string(block) + " is taken");
  std::uint64_t taken = 0;
  while (taken < count && block + taken < count_ && is_free(block + taken)) take(block + taken++);
  return taken;
}

}  // namespace ftlab
