// Rules that all files of a job share: the order of offsets, sizes, zones.
#pragma once

#include <vector>

#include "sim/core/random.h"
#include "sim/workload/size_source.h"

namespace ftlab {

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
