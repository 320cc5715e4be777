// Firmware time for finding a page in the map, in time of a core. A page map (and the part of a demand-cached or block map
// in RAM) is an array: the cost is the same for each page. An extent map is a search tree: a page that continues the extent
// of the last one needs no search, any other one takes a step for each level of a binary tree of all entries.
//
// Only reads are charged: map changes by writes are part of the controller's write_page_ns.
#pragma once

#include <bit>
#include <cstdint>

#include "models/nand/array/medium.h"
#include "sim/core/types.h"

namespace ftlab {

class MapSearch {
 public:
  MapSearch(Nanoseconds page, Nanoseconds step) : page_(page), step_(step) {}

  bool costs() const { return page_ + step_ > Nanoseconds{0}; }
  // Cost of finding a page at `ppn` (kNoPpn if unmapped) in a map of `extents` extents.
  Nanoseconds cost(Lpn lpn, Ppn ppn, std::uint64_t extents) {
    const bool same = number(lpn) == last_lpn_ && number(ppn) == last_ppn_;
    const bool hole = ppn == kNoPpn, was_hole = last_ppn_ == number(kNoPpn);
    const bool next = number(lpn) == last_lpn_ + 1 && hole == was_hole && (hole || number(ppn) == last_ppn_ + 1);
    last_lpn_ = number(lpn);
    last_ppn_ = number(ppn);
    return same || next ? page_ : page_ + step_ * std::bit_width(extents);
  }

  template <class A>
  void archive(A& archive) {
    archive.section("map search");
    archive.value(last_lpn_);
    archive.value(last_ppn_);
  }

 private:
  Nanoseconds page_;
  Nanoseconds step_;
  std::uint32_t last_lpn_ = 0xffff'fffe;  // has no next page
  std::uint32_t last_ppn_ = 0xffff'ffff;
};

}  // namespace ftlab
