#include "sim/stats/parts_by_latency.h"

namespace ftlab {

void PartsByLatency::merge(const PartsByLatency& other) {
  if (other.ranges_.size() > ranges_.size()) ranges_.resize(other.ranges_.size());
  for (std::size_t range = 0; range < other.ranges_.size(); ++range) {
    ranges_[range].requests += other.ranges_[range].requests;
    add_parts(ranges_[range].parts, other.ranges_[range].parts);
  }
}

LatencyParts PartsByLatency::total() const {
  LatencyParts sum{};
  for (const Range& range : ranges_) add_parts(sum, range.parts);
  return sum;
}

// First latency of the range's first bin; see the table in histogram.h.
std::uint64_t PartsByLatency::first_ns(std::size_t range) {
  const std::uint64_t bin = range * kBinsPerRange;
  const std::uint64_t shift = bin < 64 ? 0 : bin / 64 - 1;
  return (bin - 64 * shift) << shift;
}

}  // namespace ftlab
