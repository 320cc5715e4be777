#include "sim/stats/parts_by_latency.h"

#include "sim/testing/test.h"

namespace ftlab {
namespace {

LatencyParts die_time(std::uint64_t ns) {
  LatencyParts parts{};
  parts[static_cast<std::size_t>(LatencyPart::host)] = Nanoseconds{ns};
  return parts;
}

TEST_CASE("a latency lies in the range of its bin") {
  for (const std::uint64_t ns : {0, 1, 15, 16, 63, 64, 127, 128, 159, 160, 1000, 75'000, 1'000'000}) {
    PartsByLatency parts;
    parts.add(Nanoseconds{ns}, die_time(ns));
    const std::size_t range = parts.ranges().size() - 1;
    CHECK(PartsByLatency::first_ns(range) <= ns);
    CHECK(ns < PartsByLatency::first_ns(range + 1));
  }
}

TEST_CASE("there are 16 ranges for each power of two above 64 ns") {
  CHECK(PartsByLatency::first_ns(16) == 64);
  CHECK(PartsByLatency::first_ns(17) == 68);
  CHECK(PartsByLatency::first_ns(32) == 128);
  CHECK(PartsByLatency::first_ns(33) == 136);
}

TEST_CASE("parts by latency sum to the parts of all requests") {
  PartsByLatency parts, others;
  parts.add(Nanoseconds{100}, die_time(100));
  parts.add(Nanoseconds{100'000}, die_time(100'000));
  others.add(Nanoseconds{5'000'000}, die_time(5'000'000));
  parts.merge(others);
  CHECK(parts.total() == die_time(5'100'100));
  std::uint64_t requests = 0;
  for (const PartsByLatency::Range& range : parts.ranges()) requests += range.requests;
  CHECK(requests == 3);
}

}  // namespace
}  // namespace ftlab
