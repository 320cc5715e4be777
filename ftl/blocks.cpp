#include "ftl/blocks.h"

namespace ftlab {
namespace {

std::string name_of(BlockId block) { return "superblock " + std::to_string(number(block)); }

}  // namespace

Blocks::Blocks(const Layout& layout)
    : layout_(layout),
      words_per_block_((layout.pages_per_superblock() + 63) / 64),
      state_(layout.superblocks(), BlockState::free),
      valid_(layout.superblocks()),
      valid_bits_(std::size_t{layout.superblocks()} * words_per_block_),
      free_ring_(layout.superblocks()),
      free_count_(layout.superblocks()),
      bin_first_(layout.pages_per_superblock() + 1, kNoBlock),
      next_(layout.superblocks(), kNoBlock),
      previous_(layout.superblocks(), kNoBlock),
      lowest_bin_(layout.pages_per_superblock() + 1) {
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b) free_ring_[b] = BlockId{b};
}

std::string Blocks::place(BlockId block, std::uint32_t position) {
  return "page " + std::to_string(position) + " of " + name_of(block);
}

void Blocks::change(BlockId block, BlockState from, BlockState to) {
  FTLAB_CHECK(number(block) < count(), name_of(block) + " does not exist");
  FTLAB_CHECK(state_[number(block)] == from, name_of(block) + " is in state " +
                                                 std::to_string(static_cast<int>(state_[number(block)])) + ", not " +
                                                 std::to_string(static_cast<int>(from)));
  state_[number(block)] = to;
}

BlockId Blocks::open_free() {
  FTLAB_CHECK(free_count_ > 0, "no free superblock: the reserve was not kept");
  const BlockId block = free_ring_[free_first_];
  free_first_ = free_first_ + 1 == count() ? 0 : free_first_ + 1;
  --free_count_;
  change(block, BlockState::free, BlockState::open);
  return block;
}

void Blocks::close(BlockId block) {
  change(block, BlockState::open, BlockState::closed);
  enter_bin(block);
}

void Blocks::start_collecting(BlockId block) {
  change(block, BlockState::closed, BlockState::collecting);
  leave_bin(block);
}

void Blocks::empty(BlockId block) {
  FTLAB_CHECK(valid_[number(block)] == 0, name_of(block) + " still holds current pages");
  change(block, BlockState::collecting, BlockState::emptied);
}

void Blocks::release(BlockId block) {
  FTLAB_CHECK(valid_[number(block)] == 0, name_of(block) + " erased with current pages");
  change(block, BlockState::emptied, BlockState::free);
  const std::uint32_t end = free_first_ + free_count_;
  free_ring_[end < count() ? end : end - count()] = block;
  ++free_count_;
}

void Blocks::rebuild_free_list() {
  free_first_ = 0;
  free_count_ = 0;
  for (std::uint32_t b = 0; b < count(); ++b) {
    if (state_[b] == BlockState::free) free_ring_[free_count_++] = BlockId{b};
  }
}

BlockId Blocks::fewest_valid() const {
  while (lowest_bin_ < bin_first_.size() && bin_first_[lowest_bin_] == kNoBlock) ++lowest_bin_;
  return lowest_bin_ < bin_first_.size() ? bin_first_[lowest_bin_] : kNoBlock;
}

}  // namespace ftlab
