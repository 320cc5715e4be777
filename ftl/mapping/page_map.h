// Maps every logical page to the physical page with its content. The simulator always holds the whole map, whatever a scheme
// keeps in RAM on a real drive: schemes decide where pages go and what a look-up costs.
//
// For extent maps it also counts the extents: longest runs of logical pages of one region in consecutive slots of one
// superblock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "models/nand/array/medium.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/prefetch.h"

namespace ftlab {

class PageMap {
 public:
  // region_pages > 0: counts extents, by regions of this many logical pages.
  PageMap(std::uint32_t lpns, const Layout& layout, std::uint32_t region_pages)
      : map_(lpns, kNoPpn),
        layout_(layout),
        region_pages_(region_pages > 0 ? region_pages : 1),
        counts_extents_(region_pages > 0),
        extents_(region_pages > 0 ? (lpns + region_pages - 1) / region_pages : 0) {}

  // kNoPpn if never written, or trimmed.
  Ppn find(Lpn lpn) const {
    FTLAB_DCHECK(number(lpn) < map_.size(), "page " + std::to_string(number(lpn)) + " is not in the map");
    return map_[number(lpn)];
  }
  void set(Lpn lpn, Ppn ppn) {
    FTLAB_DCHECK(number(lpn) < map_.size(), "page " + std::to_string(number(lpn)) + " is not in the map");
    if (counts_extents_) {
      set_counting(lpn, ppn);
    } else {
      map_[number(lpn)] = ppn;
    }
  }
  void clear(Lpn lpn) { set(lpn, kNoPpn); }
  // Moves the pages `lpns` from `source` + positions[i] to consecutive slots from `target` on.
  void move(std::span<const Lpn> lpns, Ppn source, std::span<const std::uint32_t> positions, Ppn target);
  void prefetch(Lpn lpn) const { prefetch_to_write(&map_[number(lpn)]); }
  std::uint32_t lpns() const { return static_cast<std::uint32_t>(map_.size()); }

  // --- extents ---
  std::uint64_t extents() const { return extent_count_; }
  std::uint32_t region_of(Lpn lpn) const { return number(lpn) / region_pages_; }
  std::uint32_t regions() const { return static_cast<std::uint32_t>(extents_.size()); }
  std::uint32_t region_pages() const { return region_pages_.value(); }
  std::uint32_t extents_of(std::uint32_t region) const {
    FTLAB_DCHECK(region < extents_.size(), "region " + std::to_string(region) + " is not in the map");
    return extents_[region];
  }
  const std::uint32_t* extents_by_region() const { return &extents_[0]; }
  // True if an extent begins at `lpn`.
  bool begins_extent(std::uint32_t lpn) const {
    FTLAB_DCHECK(lpn < map_.size(), "page " + std::to_string(lpn) + " is not in the map");
    const Ppn here = map_[lpn];
    if (here == kNoPpn) return false;
    if (lpn % region_pages_ == 0 || layout_.position(here) == 0) return true;
    return map_[lpn - 1] == kNoPpn || number(map_[lpn - 1]) + 1 != number(here);
  }

  template <class A>
  void archive(A& archive) {
    archive.section("page map");
    archive.column(map_);
    archive.column(extents_);
    archive.value(extent_count_);
  }

 private:
  friend struct BrokenDrive;
  // Extents that begin at the page or its successor: remapping the page affects only these.
  std::uint32_t beginnings(std::uint32_t lpn) const {
    const bool successor = lpn + 1 < map_.size() && (lpn + 1) % region_pages_ != 0;
    return begins_extent(lpn) + (successor && begins_extent(lpn + 1));
  }
  void set_counting(Lpn lpn, Ppn ppn) {
    const std::uint32_t before = beginnings(number(lpn));
    map_[number(lpn)] = ppn;
    const std::uint32_t change = beginnings(number(lpn)) - before;  // modulo 2^32
    extents_[region_of(lpn)] += change;
    extent_count_ += static_cast<std::uint64_t>(static_cast<std::int32_t>(change));
    FTLAB_DCHECK(extents_[region_of(lpn)] <= region_pages_.value(), "a region has more extents than pages");
  }

  Column<Ppn> map_;
  Layout layout_;
  Divisor region_pages_;
  bool counts_extents_;
  Column<std::uint32_t> extents_;  // by region
  std::uint64_t extent_count_ = 0;
};

inline void PageMap::move(std::span<const Lpn> lpns, Ppn source, std::span<const std::uint32_t> positions, Ppn target) {
  FTLAB_DCHECK(lpns.size() == positions.size(), "pages without slots, or slots without pages");
  Ppn* const map = map_.data();
  const auto count = static_cast<std::uint32_t>(lpns.size());
  bool current = true;  // checked once at the end, since this is the hottest loop of relocation
  for (std::uint32_t i = 0; i < count; ++i) {
    Ppn& entry = map[number(lpns[i])];
    current &= entry == Ppn{number(source) + positions[i]};
    if (!counts_extents_) entry = Ppn{number(target) + i};
  }
  FTLAB_CHECK(current, "a relocated page was not the current one");
  if (!counts_extents_) return;
  for (std::uint32_t i = 0; i < count; ++i) set_counting(lpns[i], Ppn{number(target) + i});
}

}  // namespace ftlab
