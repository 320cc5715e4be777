// The blocks of a region in the order of a job's random requests: drawn freely, drawn with a map, from a shift register,
// from a list, or as a long random fill leaves them.
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
  // `origin` is the position of the most frequent block of a skewed distribution.
  RandomBlocks(const WalkRules& rules, const Job& job, std::uint64_t region_bytes, Streams& streams, std::uint64_t origin);

  // Number of blocks of that direction.
  std::uint64_t count(Direction d) const { return counts_[static_cast<std::size_t>(d)]; }
  // The next block; beyond the last one at the end of a pass.
  std::uint64_t next(const WalkRules& rules, Direction d, Streams& streams);

  // Map only: takes the run of free blocks from `block` on, at most `wanted`, and returns its length.
  std::uint64_t take_run(std::uint64_t block, std::uint64_t wanted) { return map_.take_run(block, wanted); }
  void forget_taken() { map_.clear(); }
  // Begins a pass. The lfsr takes a new order unless `repeat_lfsr` is set.
  void restart(const WalkRules& rules, Streams& streams, bool repeat_lfsr);

 private:
  std::uint64_t mapped(const WalkRules& rules, std::uint64_t count, Streams& streams);
  std::uint64_t shifted(const WalkRules& rules);
  std::uint64_t listed(const WalkRules& rules);

  PerDirection<std::uint64_t> counts_;
  std::vector<Distribution> distributions_;  // skewed jobs only, by direction
  RandomMap map_;
  Lfsr lfsr_;
  std::uint64_t lfsr_start_ = 0;
  SteadyFill fill_;
  std::uint64_t listed_count_ = 0;  // accesses to the list so far
};

}  // namespace ftlab
