// The state of every superblock as the translation layer sees it, and which of its pages hold current data. The only
// writer of this state; policies read it. Free superblocks wait in the order in which they became free.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/nand/layout.h"
#include "sim/check.h"
#include "sim/column.h"

namespace ftlab {

enum class BlockState : std::uint8_t {
  free,        // erased, in the free list
  open,        // a frontier writes into it
  closed,      // full; a candidate for collection
  collecting,  // its current data are being relocated
  emptied      // relocated; erased as soon as the copies are programmed
};

class Blocks {
 public:
  explicit Blocks(const Layout& layout);

  // --- the life of a superblock; each call checks the state it comes from ---
  BlockId open_free();               // REQUIRES: free_count() > 0
  void close(BlockId block);
  void start_collecting(BlockId block);
  void empty(BlockId block);         // REQUIRES: no current page left
  void release(BlockId block);       // emptied and erased: to the end of the free list
  // Power-on scan: a programmed superblock is adopted as open; after the last one the free list is made anew.
  void adopt(BlockId block) { change(block, BlockState::free, BlockState::open); }
  void rebuild_free_list();

  // --- current pages ---
  void set_valid(BlockId block, std::uint32_t position);
  void set_invalid(BlockId block, std::uint32_t position);
  // Of a relocation: the pages at `positions` of `from` become stale, as many from `first` on in `to` become current.
  void move(BlockId from, std::span<const std::uint32_t> positions, BlockId to, std::uint32_t first);
  bool is_valid(BlockId block, std::uint32_t position) const {
    return valid_bits_[first_word(block) + position / 64] >> (position % 64) & 1;
  }
  // Bits of the pages 64 * word ... of `block` that are current; beyond the block's end they are 0.
  std::uint64_t valid_word(BlockId block, std::uint32_t word) const { return valid_bits_[first_word(block) + word]; }
  void prefetch(Ppn ppn) const;

  // --- what policies look at ---
  std::uint32_t count() const { return static_cast<std::uint32_t>(state_.size()); }
  std::uint32_t free_count() const { return free_count_; }
  BlockState state(BlockId block) const { return state_[number(block)]; }
  std::uint32_t valid(BlockId block) const { return valid_[number(block)]; }
  std::uint64_t valid_total() const { return valid_total_; }
  // The closed superblock with the fewest current pages, kNoBlock when none is closed; O(1) amortised. Of several, the
  // one that lost a page last.
  BlockId fewest_valid() const;

  const Layout& layout() const { return layout_; }

 private:
  static std::string place(BlockId block, std::uint32_t position);
  std::uint32_t first_word(BlockId block) const { return number(block) * words_per_block_; }
  void change(BlockId block, BlockState from, BlockState to);
  void enter_bin(BlockId block);
  void leave_bin(BlockId block);

  Layout layout_;
  std::uint32_t words_per_block_;
  Column<BlockState> state_;
  Column<std::uint32_t> valid_;
  Column<std::uint64_t> valid_bits_;
  std::uint64_t valid_total_ = 0;

  Column<BlockId> free_ring_;
  std::uint32_t free_first_ = 0;
  std::uint32_t free_count_ = 0;

  // Closed superblocks in bins by their number of current pages, doubly linked.
  Column<BlockId> bin_first_;
  Column<BlockId> next_;
  Column<BlockId> previous_;
  mutable std::uint32_t lowest_bin_;  // no bin below it is occupied
};

inline void Blocks::prefetch(Ppn ppn) const {
  __builtin_prefetch(&valid_bits_[first_word(layout_.block_of(ppn)) + layout_.position(ppn) / 64], 1);
}

inline void Blocks::enter_bin(BlockId block) {
  const std::uint32_t bin = valid_[number(block)];
  const BlockId after = bin_first_[bin];
  next_[number(block)] = after;
  previous_[number(block)] = kNoBlock;
  if (after != kNoBlock) previous_[number(after)] = block;
  bin_first_[bin] = block;
  if (bin < lowest_bin_) lowest_bin_ = bin;
}

inline void Blocks::leave_bin(BlockId block) {
  const BlockId before = previous_[number(block)];
  const BlockId after = next_[number(block)];
  if (before == kNoBlock) {
    bin_first_[valid_[number(block)]] = after;
  } else {
    next_[number(before)] = after;
  }
  if (after != kNoBlock) previous_[number(after)] = before;
}

inline void Blocks::set_valid(BlockId block, std::uint32_t position) {
  std::uint64_t& word = valid_bits_[first_word(block) + position / 64];
  FTLAB_CHECK((word >> (position % 64) & 1) == 0, place(block, position) + " is current already");
  FTLAB_DCHECK(state_[number(block)] == BlockState::open, "data only enter open superblocks");
  word |= std::uint64_t{1} << (position % 64);
  ++valid_[number(block)];
  ++valid_total_;
}

inline void Blocks::move(BlockId from, std::span<const std::uint32_t> positions, BlockId to, std::uint32_t first) {
  FTLAB_CHECK(state_[number(from)] == BlockState::collecting, place(from, 0) + " is not being collected");
  FTLAB_DCHECK(state_[number(to)] == BlockState::open, "data only enter open superblocks");
  std::uint64_t* const source = &valid_bits_[first_word(from)];
  std::uint64_t* const target = &valid_bits_[first_word(to)];
  for (const std::uint32_t position : positions) {
    FTLAB_CHECK((source[position / 64] >> (position % 64) & 1) == 1, place(from, position) + " is not current");
    source[position / 64] ^= std::uint64_t{1} << (position % 64);
    FTLAB_CHECK((target[first / 64] >> (first % 64) & 1) == 0, place(to, first) + " is current already");
    target[first / 64] |= std::uint64_t{1} << (first % 64);
    ++first;
  }
  valid_[number(from)] -= static_cast<std::uint32_t>(positions.size());
  valid_[number(to)] += static_cast<std::uint32_t>(positions.size());
}

inline void Blocks::set_invalid(BlockId block, std::uint32_t position) {
  std::uint64_t& word = valid_bits_[first_word(block) + position / 64];
  FTLAB_CHECK((word >> (position % 64) & 1) == 1, place(block, position) + " is not current");
  word &= ~(std::uint64_t{1} << (position % 64));
  const bool binned = state_[number(block)] == BlockState::closed;
  if (binned) leave_bin(block);
  --valid_[number(block)];
  --valid_total_;
  if (binned) enter_bin(block);
}

}  // namespace ftlab
