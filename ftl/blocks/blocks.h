// The state of every superblock as the translation layer sees it, and how many of its pages hold current data. The only
// writer of this state; policies read it.
//
// Superblocks belong to pools, each with a quota of them: a drive without a fixed split has one pool. Collection takes
// victims of the pool that is short of room.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ftl/blocks/closed_blocks.h"
#include "ftl/blocks/free_blocks.h"
#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
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

// By superblock. What policies look at, and Python, which sees the same memory.
struct BlockColumns {
  Column<BlockState> state;
  Column<std::uint8_t> pool;
  Column<std::uint32_t> valid;      // current pages
  Column<std::uint64_t> closed_at;  // in pages appended: the clock by which policies tell age
  Column<std::uint64_t> opened_at;  // in host pages appended
};

class Blocks {
 public:
  Blocks(const Layout& layout, const BlocksOptions& options);

  // --- the life of a superblock; each call checks the state it comes from ---
  // A free superblock, for `pool`, when so many host pages had been appended. `wear`: by superblock, for an order that looks
  // at it. REQUIRES: free().count(pool) > 0.
  SuperblockId open(std::uint32_t pool, std::uint64_t host_pages, FreeOrder order = FreeOrder::fifo,
                    std::span<const std::uint32_t> wear = {});
  // Full, when so many pages had been appended.
  void close(SuperblockId block, std::uint64_t pages_appended);
  void start_collecting(SuperblockId block);
  void empty(SuperblockId block);  // REQUIRES: no current page left
  // Free again; or never to be used again, and its pool shrinks.
  void erased(SuperblockId block, bool reusable = true);
  // Collected, and open at once again with the current pages that it holds: for a layer that does not move them.
  void reopen(SuperblockId block, std::uint64_t host_pages);
  // Power-on: a free superblock is open, or retired, of this pool. REQUIRES: rebuild_free_list() after the last.
  void adopt(SuperblockId block, BlockState state, std::uint32_t pool);
  void rebuild_free_list();
  // After a power-on scan, which cannot know: when each was closed, in pages appended.
  void set_closing_times(std::span<const std::uint64_t> times) {
    std::copy(times.begin(), times.end(), columns_.closed_at.data());
  }

  // --- current pages ---
  [[gnu::always_inline]] void gain_page(SuperblockId block) {
    FTLAB_DCHECK(state(block) == BlockState::open, "data only enter open superblocks");
    ++columns_.valid[number(block)];
  }
  [[gnu::always_inline]] void lose_page(SuperblockId block) {
    FTLAB_CHECK(valid(block) > 0, "superblock " + std::to_string(number(block)) + " loses a page that it has not");
    const std::uint32_t before = columns_.valid[number(block)]--;
    closed_.lower(block, columns_.pool[number(block)], before, before - 1);
  }
  // By relocation. REQUIRES: `to` is open, `from` is not among the closed ones.
  void move_pages(SuperblockId from, SuperblockId to, std::uint32_t count) {
    FTLAB_CHECK(valid(from) >= count && state(from) == BlockState::collecting,
                "superblock " + std::to_string(number(from)) + " is not being collected, or has fewer pages");
    FTLAB_DCHECK(state(to) == BlockState::open, "data only enter open superblocks");
    columns_.valid[number(from)] -= count;
    columns_.valid[number(to)] += count;
  }

  // --- what policies look at ---
  std::uint32_t count() const { return static_cast<std::uint32_t>(columns_.state.size()); }
  BlockState state(SuperblockId block) const { return columns_.state[number(block)]; }
  std::uint32_t valid(SuperblockId block) const { return columns_.valid[number(block)]; }
  const BlockColumns& columns() const { return columns_; }
  const FreeBlocks& free() const { return free_; }
  const ClosedBlocks& closed() const { return closed_; }
  const Layout& layout() const { return layout_; }

  template <class A>
  void archive(A& archive) {
    archive.section("blocks");
    archive.column(columns_.state);
    archive.column(columns_.pool);
    archive.column(columns_.valid);
    archive.column(columns_.closed_at);
    archive.column(columns_.opened_at);
    archive.require(rules(), *this);
    free_.archive(archive);
    closed_.archive(archive);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<Blocks>> rules();
  void change(SuperblockId block, BlockState from, BlockState to);

  Layout layout_;
  BlockColumns columns_;
  FreeBlocks free_;
  ClosedBlocks closed_;
};

}  // namespace ftlab
