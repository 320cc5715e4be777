// Trims that were acknowledged but not yet carried out: ranges of logical pages in order of arrival, and one bit per page
// that is set while the page is to be trimmed (a write in between clears it).
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/array/medium.h"
#include "sim/core/column.h"

namespace ftlab {

class Trims {
 public:
  // `lpns` = 0: trims are never deferred, nothing is stored. `most`: intended maximum number of ranges; 0: unlimited.
  explicit Trims(std::uint32_t lpns, std::uint32_t most = 0)
      : lpns_(lpns), most_(most), pending_((std::size_t{lpns} + 63) / 64) {}

  bool empty() const { return first_ == ranges_.size(); }
  // True at the intended maximum. Further ranges are still accepted.
  bool full() const { return most_ > 0 && ranges_.size() - first_ >= most_; }
  bool pending(Lpn lpn) const { return pending_.size() > 0 && (pending_[number(lpn) / 64] >> (number(lpn) % 64) & 1) != 0; }
  void add(Lpn first, std::uint32_t pages);
  void cancel(Lpn lpn) {
    if (pending_.size() > 0) pending_[number(lpn) / 64] &= ~(std::uint64_t{1} << (number(lpn) % 64));
  }
  // Returns the next page to trim and clears its bit; kNoLpn if none is pending.
  Lpn take();

  template <class A>
  void archive(A& archive) {
    archive.section("trims");
    archive.column(pending_);
    archive.list(ranges_, std::uint64_t{1} << 32);
    std::uint64_t first = first_;
    archive.value(first);
    first_ = first;
  }

 private:
  struct Range {
    std::uint32_t next = 0, end = 0;
  };

  std::uint32_t lpns_, most_;
  Column<std::uint64_t> pending_;
  std::vector<Range> ranges_;
  std::size_t first_ = 0;  // first range with pages to trim
};

}  // namespace ftlab
