// What finding a page in the map costs the firmware of a controller, in time of a core. A page map (and the part of a
// demand-cached or block map that is in RAM) is an array: the same for each page. An extent map is a search tree: a page
// that goes on where the last one was found costs nothing, any other one a step for each level of a binary tree of all
// entries.
//
// Only reads are charged: what a write changes in the map is in the controller's write_page_ns.
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
  // Of a page that was found at `ppn` (kNoPpn: it is not mapped) in a map of so many extents.
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
  std::uint32_t last_lpn_ = 0xffff'fffe;  // whose next page is none
  std::uint32_t last_ppn_ = 0xffff'ffff;
};

}  // namespace ftlab
