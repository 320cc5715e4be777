// Physical pages whose content is known to be lost: reads fail until the page is written again, and relocated copies are
// marked as well. Memory: 1 bit per page.
#pragma once

#include <cstdint>

#include "models/nand/array/layout.h"
#include "sim/core/column.h"

namespace ftlab {

class LostPages {
 public:
  explicit LostPages(std::uint64_t pages) : lost_(pages / 64 + 1) {}

  std::uint64_t count() const { return count_; }
  bool has(Ppn ppn) const {
    FTLAB_DCHECK(number(ppn) / 64 < lost_.size(), "page " + std::to_string(number(ppn)) + " is not in the flash");
    return count_ > 0 && (lost_[number(ppn) / 64] & bit(ppn)) != 0;
  }
  void mark(Ppn ppn) {
    count_ += !has(ppn);
    lost_[number(ppn) / 64] |= bit(ppn);
  }
  // Unmarks the pages [first, end).
  void unmark(std::uint32_t first, std::uint32_t end) {
    FTLAB_DCHECK(first <= end && (end + std::uint64_t{63}) / 64 <= lost_.size(), "pages are found again that were none");
    for (std::uint32_t p = first; count_ > 0 && p < end; ++p) {
      count_ -= has(Ppn{p});
      lost_[p / 64] &= ~bit(Ppn{p});
    }
  }

  template <class A>
  void archive(A& archive) {
    archive.column(lost_);
    archive.value(count_);
  }

 private:
  friend struct BrokenDrive;
  static std::uint64_t bit(Ppn ppn) { return std::uint64_t{1} << (number(ppn) % 64); }

  Column<std::uint64_t> lost_;  // 1 bit per page
  std::uint64_t count_ = 0;
};

}  // namespace ftlab
