// A page store that only counts: it knows the number of valid pages of each superblock and their order, not which pages they
// are. Uniform random writes depend on nothing else: a write makes a page of a superblock stale with a probability
// proportional to its valid pages. A write therefore touches a few bytes of a superblock instead of the map and the slots.
// counted_aging.cpp draws the pages at the end.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "ftl/counting/pages_aside.h"
#include "ftl/counting/stretches.h"
#include "ftl/write/page_store.h"
#include "sim/core/random.h"

namespace ftlab {

class CountedStore {
 public:
  // Starts from the state of `store`. `host`, `relocation`: the frontiers that are counted, one or two. `host_lpns`: pages
  // from here on are translation pages. REQUIRES: no placement; flash without failures and bit errors.
  CountedStore(const PageStore& store, std::uint32_t host, std::uint32_t relocation, std::uint32_t host_lpns,
               bool least_worn_first, std::uint64_t seed);

  // Writes pages, each drawn from all that do not stand aside, to the host's frontier. REQUIRES: it has room for them.
  void write(std::uint32_t pages);
  // Relocates the next valid pages of a victim, in order. REQUIRES: the frontier has room for them.
  void move(SuperblockId from, std::uint32_t pages, std::uint32_t frontier);
  // REQUIRES: a free superblock; a full frontier.
  void open(std::uint32_t frontier);
  void start_collecting(SuperblockId block) { blocks_.start_collecting(block); }
  // Erases it once everything moved from it or written before is in complete stripes. REQUIRES: it was collected and has no
  // valid page left.
  void reclaim(SuperblockId block);
  // Fills up the last stripe.
  void pad(std::uint32_t frontier);

  // Draws which stretches have lost the pages that their superblocks have lost.
  void settle();
  // The frontier whose incomplete last stripe began first. REQUIRES: there is one.
  std::uint32_t oldest_stripe() const;
  // Superblocks waiting for their erase.
  std::uint32_t waiting() const { return static_cast<std::uint32_t>(pending_.size()); }
  // Slots of its last stripe that are still empty; 0 if that is complete.
  std::uint32_t left_in_stripe(std::uint32_t frontier) const { return fronts_[frontier].left_in_stripe; }
  std::uint32_t room(std::uint32_t frontier) const { return fronts_[frontier].room; }
  // States, valid counts and closing times; which slots are valid is unknown.
  const Blocks& blocks() const { return blocks_; }
  // In slot order. REQUIRES: settle() since the last write.
  const std::vector<Stretch>& stretches(SuperblockId block) const { return stretches_.of(block); }
  const Column<std::uint32_t>& erases() const { return erases_; }
  std::uint8_t frontier(SuperblockId block) const { return opened_by_[number(block)]; }
  const PagesAside& aside() const { return aside_; }
  std::uint32_t slots() const { return blocks_.layout().data_pages(); }  // data slots of a superblock
  std::uint32_t unmapped_pages() const { return unmapped_; }             // logical pages
  struct Counts {
    std::uint64_t pages_appended, pages_padded = 0, parity_pages = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Front {
    SuperblockId block = kNoBlock;
    std::uint32_t room = 0;
    std::uint32_t left_in_stripe = 0;  // slots of its last stripe, if that is incomplete: room modulo the stripe, kept as
                                       // a division for each page takes half the time of append()
    std::uint64_t stripe = 0;  // number of its last stripe, counted over both frontiers
  };
  struct PendingErase {
    SuperblockId block;
    std::uint64_t stripe;  // erased once all stripes up to this one are complete
  };

  void write_many(SuperblockId open, std::uint32_t pages);
  SuperblockId draw_valid(std::span<const std::uint32_t> valid, RandomStream& random);
  bool mid_stripe(std::uint32_t frontier) const { return left_in_stripe(frontier) != 0; }
  void append(std::uint32_t frontier, const Stretch& part);
  std::uint32_t in_stripe(std::uint32_t room) const { return room % blocks_.layout().pages_per_stripe(); }
  void erase_pending();

  Blocks blocks_;
  Column<std::uint32_t> erases_;
  Column<std::uint8_t> opened_by_;
  Stretches stretches_;
  std::array<Front, 2> fronts_;
  std::uint32_t host_;  // its frontier
  PagesAside aside_;
  bool least_worn_first_;
  RandomStream random_;
  std::uint32_t logical_pages_, unmapped_ = 0;  // of those that do not stand aside
  Counts counts_;
  std::uint64_t host_pages_;
  std::uint64_t newest_stripe_ = 0;
  std::vector<PendingErase> pending_;
};

}  // namespace ftlab
