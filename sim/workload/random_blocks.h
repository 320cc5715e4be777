// The blocks of a region in the order of a job's random requests: drawn freely, drawn with a map, from a shift register,
// from a list, or as a long random fill leaves them.
#pragma once

#include <vector>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"
#include "sim/workload/random/distribution.h"
#include "sim/workload/random/lfsr.h"
#include "sim/workload/random/random_map.h"
#include "sim/workload/random/steady_fill.h"

namespace ftlab {

// Rules that all files of a job share: the order of offsets, sizes, zones.

// Request lengths of one direction: fio's bs, bsrange and bssplit.
class SizeSource {
 public:
  SizeSource() = default;
  // Draws multiples of `step`; sizes of a split are rounded down to it, as in fio.
  SizeSource(const BlockSizes& sizes, std::uint64_t step);

  bool vary() const { return sizes_.vary(); }
  std::uint64_t least() const { return sizes_.least; }

  // A size of at most `room`. Draws until one fits, as fio does; 0 if the smallest does not fit.
  std::uint64_t draw(RandomStream& random, std::uint64_t room) const;

 private:
  std::uint64_t draw(RandomStream& random) const;

  BlockSizes sizes_;
  std::uint64_t step_ = 1;
};

// Random streams of a job, one for each kind of decision.
struct Streams {
  explicit Streams(std::uint64_t seed)
      : offsets(seed, "offset"),
        mix(seed, "mix"),
        sizes(seed, "size"),
        jumps(seed, "jump"),
        files(seed, "file"),
        fill(seed, "fill") {}
  RandomStream offsets, mix, sizes, jumps, files, fill;
};

// The part of a job that all of its files share.
struct WalkRules {
  explicit WalkRules(const Job& job);

  enum class Order : std::uint8_t { sequential, uniform, skewed, mapped, lfsr, listed, steady_fill };
  Order order;
  Pattern pattern;
  bool time_based;
  bool repeat_offset;
  bool sizes_by_order;
  StridedZones zones;
  std::vector<std::uint64_t> listed;  // random_distribution=sequence
  bool list_advances;
  PerDirection<std::uint32_t> random_percent;
  PerDirection<std::uint64_t> block_bytes;  // the smallest size, the unit of the map
  PerDirection<std::uint64_t> step_bytes;   // distance between random offsets
  PerDirection<SizeSource> sizes;
};

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
