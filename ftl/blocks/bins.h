// Closed superblocks in bins by number of valid pages, to find the one with the fewest without a search. Ties need two ways
// to keep them:
//   lists   each bin is a doubly linked list; the last or the first superblock that entered it is found at once (lifo, fifo)
//   sorted  one array sorted by valid pages: every member of a bin has an index, so that one can be drawn at random; a lost
//           page swaps the superblock with the first of its bin
// Both cost O(1) per lost page. Entering and leaving cost O(1) for lists and O(bins above) for the sorted array, but only
// once for each superblock that is filled: less than one step per page.
#pragma once

#include <cstdint>
#include <string>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/random.h"

namespace ftlab {

class Bins {
 public:
  enum class Keeping : std::uint8_t { none, lifo, fifo, sorted };

  // For superblocks 0 .. blocks - 1 with at most `most` valid pages.
  Bins(Keeping keeping, std::uint32_t blocks, std::uint32_t most);

  void enter(SuperblockId block, std::uint32_t valid);                   // REQUIRES: not a member
  void leave(SuperblockId block, std::uint32_t valid);                   // REQUIRES: a member with `valid` pages
  void lower(SuperblockId block, std::uint32_t from, std::uint32_t to);  // REQUIRES: a member with `from` pages; to < from

  // A member with the fewest valid pages; among equals the last or first that entered the bin, or a random one. kNoBlock if
  // empty. REQUIRES: keeping is not `none`.
  SuperblockId fewest(RandomStream& random) const;

  std::uint32_t count() const { return count_; }
  // Calls member(block, valid) for each member, in ascending order of valid pages. REQUIRES: keeping is not `none`.
  template <class Member>
  void each(Member&& member) const;
  bool kept() const { return keeping_ != Keeping::none; }
  // at(): members in ascending order of valid pages, within a bin in any order. REQUIRES: sorted.
  bool sorted() const { return keeping_ == Keeping::sorted; }
  SuperblockId at(std::uint32_t index) const {
    FTLAB_DCHECK(sorted() && index < count_, "member " + std::to_string(index) + " of " + std::to_string(count_));
    return order_[index];
  }

  template <class A>
  void archive(A& archive) {
    archive.section("bins");
    archive.value(count_);
    archive.value(lowest_);
    for (auto* column : {&order_, &next_, &previous_, &list_first_, &list_last_}) archive.column(*column);
    archive.column(place_);
    archive.column(first_);
  }

 private:
  friend struct BrokenDrive;
  void link(SuperblockId block, std::uint32_t bin);
  void unlink(SuperblockId block, std::uint32_t bin);
  void put(std::uint32_t index, SuperblockId block) {
    order_[index] = block;
    place_[number(block)] = index;
  }

  Keeping keeping_;
  std::uint32_t most_;
  std::uint32_t count_ = 0;
  // sorted
  Column<SuperblockId> order_;
  Column<std::uint32_t> place_;  // index of each member in order_
  Column<std::uint32_t> first_;  // index of each bin's first member; bin v ends where bin v + 1 begins
  // lists
  Column<SuperblockId> next_, previous_;
  Column<SuperblockId> list_first_, list_last_;
  mutable std::uint32_t lowest_;  // all bins below it are empty
};

template <class Member>
void Bins::each(Member&& member) const {
  FTLAB_DCHECK(kept(), "members of bins that are not kept");
  for (std::uint32_t bin = 0; bin <= most_; ++bin) {
    if (sorted()) {
      for (std::uint32_t i = first_[bin]; i < first_[bin + 1]; ++i) member(order_[i], bin);
    } else {
      for (SuperblockId block = list_first_[bin]; block != kNoBlock; block = next_[number(block)]) member(block, bin);
    }
  }
}

inline void Bins::link(SuperblockId block, std::uint32_t bin) {
  const bool front = keeping_ == Keeping::lifo;
  const SuperblockId neighbour = front ? list_first_[bin] : list_last_[bin];
  next_[number(block)] = front ? neighbour : kNoBlock;
  previous_[number(block)] = front ? kNoBlock : neighbour;
  if (neighbour == kNoBlock) {
    list_first_[bin] = list_last_[bin] = block;
  } else if (front) {
    previous_[number(neighbour)] = block;
    list_first_[bin] = block;
  } else {
    next_[number(neighbour)] = block;
    list_last_[bin] = block;
  }
  if (bin < lowest_) lowest_ = bin;
}

inline void Bins::unlink(SuperblockId block, std::uint32_t bin) {
  const SuperblockId before = previous_[number(block)];
  const SuperblockId after = next_[number(block)];
  FTLAB_DCHECK(before != kNoBlock || list_first_[bin] == block, "a superblock leaves a bin that begins with another");
  FTLAB_DCHECK(after != kNoBlock || list_last_[bin] == block, "a superblock leaves a bin that ends with another");
  (before == kNoBlock ? list_first_[bin] : next_[number(before)]) = after;
  (after == kNoBlock ? list_last_[bin] : previous_[number(after)]) = before;
}

inline void Bins::lower(SuperblockId block, std::uint32_t from, std::uint32_t to) {
  if (keeping_ == Keeping::none) return;
  FTLAB_DCHECK(to < from && from <= most_ && count_ > 0, "a superblock's pages become more, or it is not a member");
  if (keeping_ != Keeping::sorted) {
    unlink(block, from);
    link(block, to);
    return;
  }
  FTLAB_DCHECK(place_[number(block)] - first_[from] < first_[from + 1] - first_[from], "a superblock is in another bin");
  for (std::uint32_t bin = from; bin > to; --bin) {  // nearly always one step
    const std::uint32_t first = first_[bin]++;
    const SuperblockId other = order_[first];
    put(place_[number(block)], other);
    put(first, block);
  }
}

}  // namespace ftlab
