// Trims that were acknowledged and not carried out yet: ranges of logical pages in the order in which they came, and a bit
// for each page that tells whether it is still to be trimmed (a write in between calls it back).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/nand/array/medium.h"
#include "sim/core/column.h"
#include "sim/core/rule.h"

namespace ftlab {

class Trims {
 public:
  // `lpns` 0: trims are never deferred, nothing is kept. `most`: ranges that it is meant for; 0: any number.
  explicit Trims(std::uint32_t lpns, std::uint32_t most = 0)
      : lpns_(lpns), most_(most), pending_((std::size_t{lpns} + 63) / 64) {}

  bool empty() const { return first_ == ranges_.size(); }
  // There should be no more of them. What is added all the same is kept.
  bool full() const { return most_ > 0 && ranges_.size() - first_ >= most_; }
  bool pending(Lpn lpn) const { return pending_.size() > 0 && (pending_[number(lpn) / 64] >> (number(lpn) % 64) & 1) != 0; }
  void add(Lpn first, std::uint32_t pages);
  void call_back(Lpn lpn) {
    if (pending_.size() > 0) pending_[number(lpn) / 64] &= ~(std::uint64_t{1} << (number(lpn) % 64));
  }
  // The next page to be trimmed, kNoLpn when there is none; it is pending no longer.
  Lpn take();

  template <class A>
  void archive(A& archive) {
    archive.section("trims");
    archive.column(pending_);
    archive.list(ranges_, std::uint64_t{1} << 32);
    std::uint64_t first = first_;
    archive.value(first);
    first_ = first;
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<Trims>> rules();
  struct Range {
    std::uint32_t next = 0, end = 0;
  };

  std::uint32_t lpns_, most_;
  Column<std::uint64_t> pending_;
  std::vector<Range> ranges_;
  std::size_t first_ = 0;  // of those that are not carried out
};

}  // namespace ftlab
