// The page map: for every logical page the physical page that holds its content. Four bytes a page, all in RAM.
#pragma once

#include <cstdint>

#include "models/nand/medium.h"
#include "sim/column.h"

namespace ftlab {

class PageMap {
 public:
  explicit PageMap(std::uint32_t logical_pages) : map_(logical_pages, kNoPpn) {}

  Ppn find(Lpn lpn) const { return map_[number(lpn)]; }  // kNoPpn: never written, or trimmed
  void set(Lpn lpn, Ppn ppn) { map_[number(lpn)] = ppn; }
  void clear(Lpn lpn) { map_[number(lpn)] = kNoPpn; }
  void prefetch(Lpn lpn) const { __builtin_prefetch(&map_[number(lpn)], 1); }

  std::uint32_t logical_pages() const { return static_cast<std::uint32_t>(map_.size()); }

 private:
  Column<Ppn> map_;
};

}  // namespace ftlab
