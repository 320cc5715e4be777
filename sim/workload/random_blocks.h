// The blocks of a region that random requests go to, in the order of the job: drawn, drawn and recorded in a map, by a shift
// register, from a list, or as a long random fill leaves them.
#pragma once

#include <vector>

#include "sim/workload/random/distribution.h"
#include "sim/workload/random/lfsr.h"
#include "sim/workload/random/random_map.h"
#include "sim/workload/random/steady_fill.h"
#include "sim/workload/walk_rules.h"

namespace ftlab {

class RandomBlocks {
 public:
  // `origin` is where the most frequent block of a skewed distribution lies.
  RandomBlocks(const WalkRules& rules, const Job& job, std::uint64_t region_bytes, Streams& streams, std::uint64_t origin);

  // Of that direction.
  std::uint64_t count(Direction d) const { return counts_[static_cast<std::size_t>(d)]; }
  // At the end of a pass it lies beyond the last block.
  std::uint64_t next(const WalkRules& rules, Direction d, Streams& streams);

  // Of a map only: records a run of blocks from `block` on, as far as none of them is taken, and returns its length.
  std::uint64_t take_run(std::uint64_t block, std::uint64_t wanted) { return map_.take_run(block, wanted); }
  void forget_taken() { map_.clear(); }
  // Begins a pass: the lfsr in a new order, unless it repeats.
  void restart(const WalkRules& rules, Streams& streams, bool repeat_lfsr);

 private:
  std::uint64_t mapped(const WalkRules& rules, std::uint64_t count, Streams& streams);
  std::uint64_t shifted(const WalkRules& rules);
  std::uint64_t listed(const WalkRules& rules);

  PerDirection<std::uint64_t> counts_;
  std::vector<Distribution> distributions_;  // of a skewed job, by direction
  RandomMap map_;
  Lfsr lfsr_;
  std::uint64_t lfsr_start_ = 0;
  SteadyFill fill_;
  std::uint64_t listed_count_ = 0;  // of blocks of the list that were accessed
};

}  // namespace ftlab
