// The state of every superblock as the translation layer sees it, and which of its pages hold current data. The only
// writer of this state; policies read it. Free superblocks wait in the order in which they became free, or are taken by
// their wear.
//
// Superblocks belong to pools, each with a quota of them: a drive without a fixed split has one pool. Collection takes
// victims of the pool that is short of room.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ftl/blocks/bins.h"
#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/prefetch.h"
#include "sim/core/rule.h"

namespace ftlab {

enum class BlockState : std::uint8_t {
  free,           // erased, in the free list
  open,           // a frontier writes into it
  closed,         // full; a candidate for collection
  collecting,     // its current data are being relocated
  pending_erase,  // relocated; erased as soon as the copies are programmed
  retired         // out of use for good
};

// By number, for people and for files.
inline constexpr std::array<const char*, 6> kBlockStateNames = {"free",       "open",    "closed",
                                                                "collecting", "emptied", "retired"};

// What the collection policy needs to be kept.
struct BlocksOptions {
  Bins::Keeping bins = Bins::Keeping::lifo;
  std::uint32_t window = 0;           // only the oldest so many closed superblocks of a pool are in its bins; 0: all
  std::vector<std::uint32_t> quotas;  // of superblocks, by pool
};

class Blocks {
 public:
  Blocks(const Layout& layout, BlocksOptions options);

  // --- the life of a superblock; each call checks the state it comes from ---
  // The one that became free first, for `pool`; `host_pages` is the number of host pages put so far, kept as the moment of
  // opening. REQUIRES: free_count() > 0.
  SuperblockId open_free(std::uint32_t pool, std::uint64_t host_pages);
  // As above, but the free superblock with the lowest `wear` (of equals, the one that became free first); costs a pass over
  // the free list.
  SuperblockId open_least_worn(std::uint32_t pool, std::uint64_t host_pages, std::span<const std::uint32_t> wear);
  // Like open_least_worn(), but opens the free superblock with the highest `wear`.
  SuperblockId open_most_worn(std::uint32_t pool, std::uint64_t host_pages, std::span<const std::uint32_t> wear);
  // Full. `pages_appended` is the number of pages put so far: the clock by which policies tell age.
  void close(SuperblockId block, std::uint64_t pages_appended);
  void start_collecting(SuperblockId block);
  void empty(SuperblockId block);    // REQUIRES: no current page left
  void release(SuperblockId block);  // emptied and erased: to the end of the free list
  void retire(SuperblockId block);   // emptied: never to be used again; its pool shrinks
  // Power-on: a free superblock that is out of use already; `pool` gave it up. REQUIRES: rebuild_free_list() after the last.
  void retire_unused(SuperblockId block, std::uint32_t pool);
  // Power-on scan: a programmed superblock is adopted as open; after the last one the free list is made anew.
  void adopt(SuperblockId block, std::uint32_t pool);
  void rebuild_free_list();

  // After a power-on scan, which cannot know: when each was closed, in pages appended.
  void set_closing_times(std::span<const std::uint64_t> times) { std::copy(times.begin(), times.end(), closed_at_.data()); }

  // Collected, and open at once again with the current pages that it holds: for a layer that does not move them.
  void reopen(SuperblockId block, std::uint64_t host_pages);

  // --- current pages, for a layer that counts them only ---
  void gain_page(SuperblockId block) {
    FTLAB_DCHECK(state_[number(block)] == BlockState::open, "data only enter open superblocks");
    ++valid_[number(block)];
    ++valid_total_;
  }
  void lose_page(SuperblockId block) {
    FTLAB_CHECK(valid_[number(block)] > 0, location(block, 0) + " and the others are not current");
    const std::uint32_t before = valid_[number(block)]--;
    --valid_total_;
    if (binned_[number(block)]) pools_[pool_[number(block)]].bins.lower(block, before, before - 1);
  }

  // As a relocation does it. REQUIRES: `to` is open, `from` is not among the closed ones.
  void move_pages(SuperblockId from, SuperblockId to, std::uint32_t count) {
    FTLAB_CHECK(valid_[number(from)] >= count && !binned_[number(from)], location(from, 0) + " and others are not moved");
    FTLAB_DCHECK(state_[number(to)] == BlockState::open, "data only enter open superblocks");
    valid_[number(from)] -= count;
    valid_[number(to)] += count;
  }

  // --- current pages ---
  void set_valid(SuperblockId block, std::uint32_t position);
  void set_invalid(SuperblockId block, std::uint32_t position);
  // Of a relocation: the pages at `positions` of `from` become stale, as many from `first` on in `to` become current.
  void move(SuperblockId from, std::span<const std::uint32_t> positions, SuperblockId to, std::uint32_t first);
  // The same of all current pages of `from` between two positions, the edges included, which are `count`.
  void move_all(SuperblockId from, std::uint32_t lowest, std::uint32_t highest, std::uint32_t count, SuperblockId to,
                std::uint32_t first);
  bool is_valid(SuperblockId block, std::uint32_t position) const {
    FTLAB_DCHECK(position < layout_.pages_per_superblock(), location(block, position) + " does not exist");
    return valid_bits_[first_word(block) + position / 64] >> (position % 64) & 1;
  }
  // Bits of the pages 64 * word ... of `block` that are current; beyond the block's end they are 0.
  std::uint64_t valid_word(SuperblockId block, std::uint32_t word) const {
    FTLAB_DCHECK(word < words_per_block_, location(block, 64 * word) + " does not exist");
    return valid_bits_[first_word(block) + word];
  }
  // All of them.
  const std::uint64_t* valid_words(SuperblockId block) const { return &valid_bits_[first_word(block)]; }
  void prefetch(Ppn ppn) const;

  // --- what policies look at ---
  std::uint32_t count() const { return static_cast<std::uint32_t>(state_.size()); }
  std::uint32_t free_count() const { return free_count_; }
  std::uint32_t retired_count() const { return retired_count_; }
  // Free superblocks that `pool` may still take.
  std::uint32_t free_count(std::uint32_t pool) const {
    FTLAB_DCHECK(pool < pools_.size(), "pool " + std::to_string(pool) + " of " + std::to_string(pools_.size()));
    const Pool& p = pools_[pool];
    return p.used < p.quota ? std::min(free_count_, p.quota - p.used) : 0;
  }
  std::uint32_t quota(std::uint32_t pool) const { return pools_[pool].quota; }
  std::uint32_t pool_count() const { return static_cast<std::uint32_t>(pools_.size()); }
  BlockState state(SuperblockId block) const { return state_[number(block)]; }
  std::uint32_t pool(SuperblockId block) const { return pool_[number(block)]; }
  std::uint32_t valid(SuperblockId block) const { return valid_[number(block)]; }
  std::uint64_t valid_total() const { return valid_total_; }
  std::uint64_t closed_at(SuperblockId block) const { return closed_at_[number(block)]; }  // in pages put
  std::uint64_t opened_at(SuperblockId block) const { return opened_at_[number(block)]; }  // in host pages put
  // Closed superblocks of a pool in order of closing; kNoBlock at the end.
  SuperblockId oldest(std::uint32_t pool) const { return pools_[pool].oldest; }
  SuperblockId next_younger(SuperblockId block) const { return younger_[number(block)]; }
  SuperblockId next_older(SuperblockId block) const { return older_[number(block)]; }
  SuperblockId youngest(std::uint32_t pool) const { return pools_[pool].youngest; }
  std::uint32_t closed_count(std::uint32_t pool) const { return pools_[pool].closed; }
  // The closed superblocks of a pool by their number of current pages (those in the window, if there is one).
  const Bins& bins(std::uint32_t pool) const { return pools_[pool].bins; }
  bool binned(SuperblockId block) const { return binned_[number(block)] != 0; }
  std::uint32_t in_window(std::uint32_t pool) const { return pools_[pool].in_window; }         // so many are in its bins
  SuperblockId beyond_window(std::uint32_t pool) const { return pools_[pool].beyond_window; }  // the oldest that is not

  const Layout& layout() const { return layout_; }

  // --- whole columns, for readers that look at all superblocks at once ---
  const Column<BlockState>& states() const { return state_; }
  const Column<std::uint8_t>& pools() const { return pool_; }
  const Column<std::uint32_t>& valid_counts() const { return valid_; }
  const Column<std::uint64_t>& closing_times() const { return closed_at_; }
  const Column<std::uint64_t>& opening_times() const { return opened_at_; }

  template <class A>
  void archive(A& archive);

 private:
  struct Pool {
    std::uint32_t quota = 0;
    std::uint32_t used = 0;  // not free: open, closed, collecting, emptied
    std::uint32_t closed = 0;
    std::uint32_t in_window = 0;
    SuperblockId oldest = kNoBlock, youngest = kNoBlock;
    SuperblockId beyond_window = kNoBlock;  // the oldest closed one that is not in the window
    Bins bins;
  };

  friend struct LoadedStates;
  static std::span<const Rule<Blocks>> rules();
  static std::span<const Rule<Pool, std::uint32_t>> rules_of_pools();
  static std::string location(SuperblockId block, std::uint32_t position);
  std::uint32_t first_word(SuperblockId block) const { return number(block) * words_per_block_; }
  void set_run_valid(SuperblockId block, std::uint32_t first, std::uint32_t count);
  void change(SuperblockId block, BlockState from, BlockState to);
  void append_free(SuperblockId block);
  void shrink(std::uint32_t pool);
  template <class Better>
  std::uint32_t best_free(std::span<const std::uint32_t> wear, Better better) const;
  SuperblockId open_at(std::uint32_t free_index, std::uint32_t pool, std::uint64_t host_pages);
  void append_by_age(Pool& pool, SuperblockId block);
  void remove_by_age(Pool& pool, SuperblockId block);
  void fill_window(Pool& pool);

  Layout layout_;
  std::uint32_t words_per_block_;
  std::uint32_t window_;
  Column<BlockState> state_;
  Column<std::uint8_t> pool_;
  Column<std::uint8_t> binned_;
  Column<std::uint32_t> valid_;
  Column<std::uint64_t> valid_bits_;
  std::uint64_t valid_total_ = 0;
  Column<std::uint64_t> closed_at_;
  Column<std::uint64_t> opened_at_;
  Column<SuperblockId> older_, younger_;  // neighbours in order of closing

  Column<SuperblockId> free_ring_;
  std::uint32_t free_first_ = 0;
  std::uint32_t free_count_ = 0;
  std::uint32_t retired_count_ = 0;
  std::vector<Pool> pools_;
};

inline void Blocks::prefetch(Ppn ppn) const {
  prefetch_to_write(&valid_bits_[first_word(layout_.block_of(ppn)) + layout_.position(ppn) / 64]);
}

inline void Blocks::set_valid(SuperblockId block, std::uint32_t position) {
  std::uint64_t& word = valid_bits_[first_word(block) + position / 64];
  FTLAB_CHECK((word >> (position % 64) & 1) == 0, location(block, position) + " is current already");
  FTLAB_DCHECK(state_[number(block)] == BlockState::open, "data only enter open superblocks");
  word |= std::uint64_t{1} << (position % 64);
  ++valid_[number(block)];
  ++valid_total_;
}

inline void Blocks::set_run_valid(SuperblockId block, std::uint32_t first, std::uint32_t count) {
  FTLAB_DCHECK(first + count <= layout_.pages_per_superblock(),
               location(block, first) + " and the next leave their superblock");
  std::uint64_t* const words = &valid_bits_[first_word(block)];
  while (count > 0) {
    const std::uint32_t bit = first % 64, here = std::min(count, 64 - bit);
    const std::uint64_t bits = (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << bit;
    FTLAB_CHECK((words[first / 64] & bits) == 0, location(block, first) + " or one of the next is current already");
    words[first / 64] |= bits;
    first += here;
    count -= here;
  }
}

inline void Blocks::move(SuperblockId from, std::span<const std::uint32_t> positions, SuperblockId to, std::uint32_t first) {
  FTLAB_CHECK(state_[number(from)] == BlockState::collecting, location(from, 0) + " is not being collected");
  FTLAB_DCHECK(state_[number(to)] == BlockState::open, "data only enter open superblocks");
  std::uint64_t* const source = &valid_bits_[first_word(from)];
  for (const std::uint32_t position : positions) {
    FTLAB_CHECK((source[position / 64] >> (position % 64) & 1) == 1, location(from, position) + " is not current");
    source[position / 64] ^= std::uint64_t{1} << (position % 64);
  }
  set_run_valid(to, first, static_cast<std::uint32_t>(positions.size()));
  FTLAB_DCHECK(valid_[number(from)] >= positions.size(), location(from, 0) + " loses more pages than it has");
  valid_[number(from)] -= static_cast<std::uint32_t>(positions.size());
  valid_[number(to)] += static_cast<std::uint32_t>(positions.size());
}

inline void Blocks::move_all(SuperblockId from, std::uint32_t lowest, std::uint32_t highest, std::uint32_t count,
                             SuperblockId to, std::uint32_t first) {
  FTLAB_CHECK(state_[number(from)] == BlockState::collecting, location(from, 0) + " is not being collected");
  FTLAB_DCHECK(state_[number(to)] == BlockState::open, "data only enter open superblocks");
  FTLAB_DCHECK(lowest <= highest && highest < layout_.pages_per_superblock(), location(from, lowest) + " and the next");
  std::uint64_t* const words = &valid_bits_[first_word(from)];
  std::uint64_t mask = ~std::uint64_t{0} << lowest % 64;
  std::uint32_t found = 0;
  for (std::uint32_t word = lowest / 64; word <= highest / 64; ++word, mask = ~std::uint64_t{0}) {
    if (word == highest / 64) mask &= ~std::uint64_t{0} >> (63 - highest % 64);
    found += static_cast<std::uint32_t>(std::popcount(words[word] & mask));
    words[word] &= ~mask;
  }
  FTLAB_CHECK(found == count, location(from, lowest) + " and the next: " + std::to_string(found) + " are current");
  FTLAB_DCHECK(valid_[number(from)] >= count, location(from, 0) + " loses more pages than it has");
  set_run_valid(to, first, count);
  valid_[number(from)] -= count;
  valid_[number(to)] += count;
}

inline void Blocks::set_invalid(SuperblockId block, std::uint32_t position) {
  std::uint64_t& word = valid_bits_[first_word(block) + position / 64];
  FTLAB_CHECK((word >> (position % 64) & 1) == 1, location(block, position) + " is not current");
  word &= ~(std::uint64_t{1} << (position % 64));
  lose_page(block);
}

template <class A>
void Blocks::archive(A& archive) {
  archive.section("blocks");
  archive.column(state_);
  archive.column(pool_);
  archive.column(binned_);
  archive.column(valid_);
  archive.column(valid_bits_);
  archive.value(valid_total_);
  archive.column(closed_at_);
  archive.column(opened_at_);
  archive.column(older_);
  archive.column(younger_);
  archive.column(free_ring_);
  archive.value(free_first_);
  archive.value(free_count_);
  archive.value(retired_count_);
  archive.require(rules(), *this);
  for (Pool& pool : pools_) {
    for (auto* value : {&pool.quota, &pool.used, &pool.closed, &pool.in_window}) archive.value(*value);
    for (auto* block : {&pool.oldest, &pool.youngest, &pool.beyond_window}) archive.value(*block);
    archive.require(rules_of_pools(), pool, count());
    pool.bins.archive(archive);
  }
}

}  // namespace ftlab
