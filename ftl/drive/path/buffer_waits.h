// Waits of writes for room in the write buffer, and what the dies did meanwhile, by the length of the wait: shows whether
// long waits have other causes than usual ones. The groups are the ranges of PartsByLatency.
#pragma once

#include <vector>

#include "models/nand/schedule/die_time.h"
#include "sim/stats/parts_by_latency.h"

namespace ftlab {

class BufferWaits {
 public:
  struct Range {
    std::uint64_t writes = 0;
    Nanoseconds waited{0};  // sums over these writes
    DieTime dies;           // operations that began while they waited, in full
  };

  // Adds a write that the layer admitted. `before`, `after`: the time of the dies when its wait began and now. 10 ns.
  void add(Nanoseconds waited, const DieTime& before, const DieTime& after) {
    const std::size_t range = PartsByLatency::range_of(waited);
    if (range >= ranges_.size()) ranges_.resize(range + 1);
    ++ranges_[range].writes;
    if (waited == Nanoseconds{0}) return;
    ranges_[range].waited += waited;
    ranges_[range].dies.add_between(before, after);
  }
  // Ascending, like PartsByLatency::ranges().
  const std::vector<Range>& ranges() const { return ranges_; }
  void clear() { ranges_.clear(); }

 private:
  std::vector<Range> ranges_;
};

}  // namespace ftlab
