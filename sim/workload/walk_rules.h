// Rules that all files of a job share: the order of offsets, sizes, zones.
#pragma once

#include <vector>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

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

}  // namespace ftlab
