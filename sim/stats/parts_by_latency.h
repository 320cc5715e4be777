// Where the time of requests went, kept apart by how long they took: what a result needs to say what its slowest requests
// waited for. Requests are gathered in ranges of latency, four in every power of two.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/request.h"
#include "sim/stats/histogram.h"

namespace ftlab {

class PartsByLatency {
 public:
  // Requests whose latency lies in [first_ns(r), first_ns(r + 1)); the last range has no end, as the histogram's last bin.
  struct Range {
    std::uint64_t requests = 0;
    LatencyParts parts{};  // summed over them
  };

  // One request. 10 ns: an addition for each part.
  void add(Nanoseconds latency, const LatencyParts& parts) {
    const std::size_t range = Histogram::bin_of(latency.count()) / kBinsPerRange;
    if (range >= ranges_.size()) ranges_.resize(range + 1);
    ++ranges_[range].requests;
    add_parts(ranges_[range].parts, parts);
  }
  void merge(const PartsByLatency& other);

  // Of all requests together.
  LatencyParts total() const;
  // Ascending, up to the last that holds a request; empty ones between are there.
  const std::vector<Range>& ranges() const { return ranges_; }
  static std::uint64_t first_ns(std::size_t range);

 private:
  static constexpr std::size_t kBinsPerRange = 16;

  std::vector<Range> ranges_;
};

}  // namespace ftlab
