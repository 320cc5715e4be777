#include "sim/core/timeline.h"

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace std::chrono_literals;

namespace {

Nanoseconds ns(std::uint64_t value) { return Nanoseconds{value}; }

// Reference for a Timeline with unlimited memory: one cell per nanosecond.
class ExactTimeline {
 public:
  std::uint64_t reserve(std::uint64_t ready, std::uint64_t length) {
    std::uint64_t start = ready;
    for (std::uint64_t free = 0; free < length;) {
      if (taken_.size() <= start + free) taken_.resize(2 * (start + free) + 64, false);
      if (taken_[start + free]) {
        start += free + 1;
        free = 0;
      } else {
        ++free;
      }
    }
    for (std::uint64_t i = 0; i < length; ++i) taken_[start + i] = true;
    return start;
  }

 private:
  std::vector<bool> taken_;
};

}  // namespace

TEST_CASE("a free resource starts at once, a busy one as soon as it is free") {
  Timeline line;
  REQUIRE(line.reserve(ns(100), ns(10)) == ns(100));
  REQUIRE(line.reserve(ns(105), ns(10)) == ns(110));
  REQUIRE(line.reserve(ns(119), ns(10)) == ns(120));
  REQUIRE(line.end() == ns(130));
  REQUIRE(line.busy() == ns(30));
}

TEST_CASE("a later reservation that is ready earlier takes a gap that is long enough, but not one that is 1 ns too short") {
  Timeline line;
  line.reserve(ns(0), ns(10));
  line.reserve(ns(50), ns(10));  // leaves the gap [10, 50)
  REQUIRE(line.earliest(ns(0), ns(40)) == ns(10));
  REQUIRE(line.earliest(ns(0), ns(41)) == ns(60));
  REQUIRE(line.reserve(ns(20), ns(10)) == ns(20));  // splits it into [10, 20) and [30, 50)
  REQUIRE(line.reserve(ns(0), ns(11)) == ns(30));
  REQUIRE(line.reserve(ns(0), ns(10)) == ns(10));
  REQUIRE(line.reserve(ns(0), ns(9)) == ns(41));
  REQUIRE(line.reserve(ns(0), ns(1)) == ns(60));
}

TEST_CASE("random reservations agree with an exact cell by cell schedule while few gaps are open") {
  RandomStream random(7, "timeline");
  for (int round = 0; round < 200; ++round) {
    Timeline line;
    ExactTimeline exact;
    std::uint64_t now = 0;
    for (int i = 0; i < 60; ++i) {
      now += random.below(30);
      const std::uint64_t ready = now + (random.chance(1, 8) ? random.below(60) : 0);
      const std::uint64_t length = 1 + random.below(20);
      REQUIRE(line.reserve(ns(ready), ns(length)).count() == exact.reserve(ready, length));
    }
  }
}

TEST_CASE("holding extends the last reservation only") {
  Timeline line;
  line.reserve(ns(0), ns(10));
  line.hold(ns(10), ns(25));
  REQUIRE(line.end() == ns(25));
  REQUIRE(line.busy() == ns(25));
  line.hold(ns(10), ns(99));  // the last reservation did not end at 10
  REQUIRE(line.end() == ns(25));
}
