// State of every superblock and its number of valid pages, as the FTL sees them. Only this class changes them; policies read
// them.
//
// Superblocks belong to pools, each with a quota of superblocks; a drive without a fixed split has one pool. GC takes
// victims from the pool that is short of room.
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

namespace ftlab {

enum class BlockState : std::uint8_t {
  free,           // erased, in the free list
  open,           // a frontier writes into it
  closed,         // full; may be collected
  collecting,     // its valid pages are being relocated
  pending_erase,  // relocated; erased as soon as the copies are programmed
  retired         // permanently out of use
};

// By number, for output and files.
inline constexpr std::array<const char*, 6> kBlockStateNames = {"free",       "open",    "closed",
                                                                "collecting", "emptied", "retired"};

// Structures that the GC policy needs.
struct BlocksOptions {
  Bins::Keeping bins = Bins::Keeping::lifo;
  std::uint32_t window = 0;           // only this many of the oldest closed superblocks of a pool are in its bins; 0: all
  std::vector<std::uint32_t> quotas;  // superblocks by pool
  std::vector<std::uint8_t> owners;   // by superblock: the only pool that may take it; empty if any may
};

// By superblock. Read by policies, and by Python in the same memory.
struct BlockColumns {
  Column<BlockState> state;
  Column<std::uint8_t> pool;
  Column<std::uint32_t> valid;      // valid pages
  Column<std::uint64_t> closed_at;  // in pages appended, the clock by which policies measure age
  Column<std::uint64_t> opened_at;  // in host pages appended
};

class Blocks {
 public:
  Blocks(const Layout& layout, const BlocksOptions& options);

  // --- life cycle of a superblock; each call checks the state before it ---
  // Opens a free superblock for `pool`. `host_pages`: appended so far. `wear`: by superblock, if `order` depends on it.
  // REQUIRES: free().count(pool) > 0.
  SuperblockId open(std::uint32_t pool, std::uint64_t host_pages, FreeOrder order = FreeOrder::fifo,
                    std::span<const std::uint32_t> wear = {});
  // The superblock is full. `pages_appended`: so far.
  void close(SuperblockId block, std::uint64_t pages_appended);
  void start_collecting(SuperblockId block);
  void empty(SuperblockId block);  // REQUIRES: no valid page left
  // The superblock is free again, or retired if not `reusable`, which shrinks its pool.
  void erased(SuperblockId block, bool reusable = true);
  // Reopens a superblock being collected; its valid pages stay. For layers that do not move pages.
  void reopen(SuperblockId block, std::uint64_t host_pages);
  // Power-on: makes a free superblock open or retired, in `pool`. REQUIRES: rebuild_free_list() after the last call.
  void adopt(SuperblockId block, BlockState state, std::uint32_t pool);
  void rebuild_free_list();
  // Closing times by superblock, in pages appended. A power-on scan cannot recover them.
  void set_closing_times(std::span<const std::uint64_t> times) {
    FTLAB_CHECK(times.size() == count(), "closing times of the superblocks of another drive");
    std::copy(times.begin(), times.end(), columns_.closed_at.data());
  }

  // --- valid pages ---
  [[gnu::always_inline]] void gain_pages(SuperblockId block, std::uint32_t count = 1) {
    FTLAB_DCHECK(state(block) == BlockState::open, "data only enter open superblocks");
    FTLAB_DCHECK(valid(block) + count <= layout_.data_pages(), "a superblock gets more pages than it has room for");
    columns_.valid[number(block)] += count;
  }
  [[gnu::always_inline]] void lose_pages(SuperblockId block, std::uint32_t count = 1) {
    FTLAB_CHECK(valid(block) >= count, "superblock " + std::to_string(number(block)) + " loses pages that it has not");
    const std::uint32_t before = columns_.valid[number(block)];
    columns_.valid[number(block)] = before - count;
    closed_.lower(block, columns_.pool[number(block)], before, before - count);
  }
  // Relocation. REQUIRES: `to` is open, `from` is being collected.
  void move_pages(SuperblockId from, SuperblockId to, std::uint32_t count) {
    FTLAB_CHECK(valid(from) >= count && state(from) == BlockState::collecting,
                "superblock " + std::to_string(number(from)) + " is not being collected, or has fewer pages");
    FTLAB_DCHECK(state(to) == BlockState::open, "data only enter open superblocks");
    FTLAB_DCHECK(valid(to) + count <= layout_.data_pages(), "more pages are moved to a superblock than it has room for");
    columns_.valid[number(from)] -= count;
    columns_.valid[number(to)] += count;
  }

  // --- read by policies ---
  std::uint32_t count() const { return static_cast<std::uint32_t>(columns_.state.size()); }
  BlockState state(SuperblockId block) const {
    FTLAB_DCHECK(number(block) < count(), "superblock " + std::to_string(number(block)) + " of " + std::to_string(count()));
    return columns_.state[number(block)];
  }
  std::uint32_t valid(SuperblockId block) const {
    FTLAB_DCHECK(number(block) < count(), "pages of superblock " + std::to_string(number(block)) + ", which there is not");
    return columns_.valid[number(block)];
  }
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
    free_.archive(archive);
    closed_.archive(archive);
  }

 private:
  friend struct BrokenDrive;
  void change(SuperblockId block, BlockState from, BlockState to);

  Layout layout_;
  BlockColumns columns_;
  FreeBlocks free_;
  ClosedBlocks closed_;
};

}  // namespace ftlab
