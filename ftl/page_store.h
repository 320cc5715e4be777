// Where data live: mapping, blocks, frontiers and medium as one consistent whole. Everything that moves a page, host write
// or relocation, goes through these few calls; they know nothing of policies or of requests.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ftl/blocks.h"
#include "ftl/config.h"
#include "ftl/frontier.h"
#include "ftl/mapping/page_map.h"
#include "ftl/write_buffer.h"
#include "models/nand/backend.h"
#include "models/nand/medium.h"

namespace ftlab {

class PageStore {
 public:
  // Takes up the state that `medium` holds (power-on scan, see recover.cpp); an erased medium makes an empty store.
  // REQUIRES: medium, backend and buffer outlive the store.
  PageStore(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, Backend& backend, WriteBuffer& buffer);

  // --- pages ---
  // The content of `lpn` is gone: overwritten or trimmed. Nothing happens when it is unmapped.
  void invalidate(Lpn lpn);
  void unmap(Lpn lpn);
  // Puts content that is in RAM at `ready` behind the frontier. REQUIRES: frontier.has_room(); the old place of `lpn`
  // is invalidated already.
  void put(Frontier& frontier, Lpn lpn, Version version, Nanoseconds ready, bool from_host);
  // Moves current pages of a superblock that is being collected, at `positions`, behind the frontier; their content is in
  // RAM at `ready`. Stops at the end of the frontier's stripe; returns how many were moved. REQUIRES: frontier.has_room().
  std::uint32_t relocate(BlockId from, std::span<const std::uint32_t> positions, Frontier& frontier, Nanoseconds ready);
  // Programs an incomplete stripe, filled up with padding.
  void pad(Frontier& frontier, Nanoseconds now);

  // --- superblocks ---
  void open(Frontier& frontier);  // REQUIRES: a free superblock
  // Erases a superblock whose data have been relocated, as soon as everything that replaces its pages is programmed:
  // the relocated copies, and host data still in RAM whose old content it holds.
  void reclaim(BlockId block);

  // --- looking ---
  // In RAM still, not in the flash: a read is served without the die.
  bool staged(Ppn ppn) const { return layout_.position(ppn) >= medium_.programmed(layout_.block_of(ppn)); }
  Version version_at(Ppn ppn) const;

  Frontier& host_frontier() { return frontiers_[0]; }
  Frontier& relocation_frontier() { return frontiers_[frontier_count_ - 1]; }
  const std::array<Frontier, 2>& frontiers() const { return frontiers_; }
  std::uint32_t frontier_count() const { return frontier_count_; }
  const PageMap& map() const { return map_; }
  Blocks& blocks() { return blocks_; }
  const Blocks& blocks() const { return blocks_; }
  Medium& medium() { return medium_; }
  const Medium& medium() const { return medium_; }
  Backend& backend() { return backend_; }
  const Layout& layout() const { return layout_; }

  std::uint64_t pages_put() const { return pages_put_; }         // host and relocation; must agree with the medium
  std::uint64_t pages_padded() const { return pages_padded_; }
  std::uint64_t superblocks_erased() const { return superblocks_erased_; }
  // Relocated superblocks that will be free as soon as they may be erased.
  std::uint32_t waiting_for_erase() const { return static_cast<std::uint32_t>(emptied_.size()); }
  std::uint32_t mapped_pages() const { return mapped_pages_; }
  Version newest_version() const { return newest_version_; }     // found by the power-on scan

 private:
  // Waits until each frontier has programmed `stages[frontier]` stripes.
  struct Emptied {
    BlockId block;
    std::array<std::uint64_t, 2> stages;
  };

  void program_stage(Frontier& frontier);
  Nanoseconds program_stripes(const Frontier& frontier);
  void erase_emptied();
  void erase(BlockId block);
  void recover();
  void recover_pages(BlockId block);
  bool is_copy(BlockId block, BlockId other) const;
  void reopen(BlockId block);

  Layout layout_;
  Medium& medium_;
  Backend& backend_;
  WriteBuffer& buffer_;
  PageMap map_;
  Blocks blocks_;
  std::uint32_t frontier_count_;
  std::array<Frontier, 2> frontiers_;
  std::array<std::uint64_t, 2> stages_programmed_{};
  std::array<Nanoseconds, 2> programmed_at_{};  // end of each frontier's latest program
  std::vector<Emptied> emptied_;                // few: relocated, but not to be erased yet
  Column<Nanoseconds> erased_at_;               // end of each superblock's last erase
  std::uint64_t pages_put_ = 0;
  std::uint64_t pages_padded_ = 0;
  std::uint64_t superblocks_erased_ = 0;
  std::uint32_t mapped_pages_ = 0;
  Version newest_version_{0};
};

inline void PageStore::put(Frontier& frontier, Lpn lpn, Version version, Nanoseconds ready, bool from_host) {
  FTLAB_CHECK(frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is full");
  const std::uint32_t position = frontier.stage(lpn, version, ready, from_host);
  const Ppn ppn{number(layout_.first_page(frontier.block())) + position};
  mapped_pages_ += map_.find(lpn) == kNoPpn;
  map_.set(lpn, ppn);
  blocks_.set_valid(frontier.block(), position);
  ++pages_put_;
  if (frontier.stripe_complete()) program_stage(frontier);
}

inline std::uint32_t PageStore::relocate(BlockId from, std::span<const std::uint32_t> positions, Frontier& frontier,
                                         Nanoseconds ready) {
  FTLAB_CHECK(frontier.has_room(), "frontier " + std::to_string(frontier.number()) + " is full");
  const auto count = std::min(static_cast<std::uint32_t>(positions.size()), frontier.stripe_room());
  const std::uint32_t source = number(layout_.first_page(from));
  const std::uint32_t target = number(layout_.first_page(frontier.block()));
  const std::uint32_t first = frontier.next();
  for (std::uint32_t i = 0; i < count; ++i) {
    const Ppn place{source + positions[i]};
    const Lpn lpn = medium_.lpn(place);
    FTLAB_CHECK(map_.find(lpn) == place, "relocated page is not the current one");
    map_.set(lpn, Ppn{target + frontier.stage(lpn, medium_.version(place), ready, false)});
  }
  blocks_.move(from, positions.first(count), frontier.block(), first);
  pages_put_ += count;
  if (frontier.stripe_complete()) program_stage(frontier);
  return count;
}

}  // namespace ftlab
