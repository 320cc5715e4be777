// Latency parts of requests, grouped by latency: shows what the slowest requests waited for. The groups are ranges of
// latency, 16 per power of two: a mean of the slowest requests is then within 3 % of the exact one.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/request.h"
#include "sim/stats/histogram.h"

namespace ftlab {

class PartsByLatency {
 public:
  // Requests with a latency in [first_ns(r), first_ns(r + 1)); the last range has no end, like the histogram's last bin.
  struct Range {
    std::uint64_t requests = 0;
    LatencyParts parts{};  // sums over these requests
  };

  // Adds a request. 10 ns: an addition for each part.
  void add(Nanoseconds latency, const LatencyParts& parts) {
    const std::size_t range = range_of(latency);
    if (range >= ranges_.size()) ranges_.resize(range + 1);
    ++ranges_[range].requests;
    add_parts(ranges_[range].parts, parts);
  }
  void merge(const PartsByLatency& other);

  // Sums over all requests.
  LatencyParts total() const;
  // Ascending, up to the last range with a request, including empty ranges in between.
  const std::vector<Range>& ranges() const { return ranges_; }
  static std::uint64_t first_ns(std::size_t range);
  static std::size_t range_of(Nanoseconds latency) { return Histogram::bin_of(latency.count()) / kBinsPerRange; }

 private:
  static constexpr std::size_t kBinsPerRange = 4;

  std::vector<Range> ranges_;
};

}  // namespace ftlab
