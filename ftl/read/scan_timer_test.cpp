// Scans at fixed intervals: when one is due, and that skipping scans in vain finds the first useful one.
#include "ftl/read/scan_timer.h"

#include <vector>

#include "sim/core/archive.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr Nanoseconds ns(std::uint64_t count) { return Nanoseconds{count}; }

}  // namespace

TEST_CASE("a scan is due with the first request, and then at fixed intervals") {
  ScanTimer timer(ns(100));
  CHECK(timer.next() == kNever);
  CHECK(timer.is_due(ns(0)));
  timer.skip(ns(1'030), [](Nanoseconds) { return false; });
  CHECK(timer.next() == ns(1'030));
  CHECK(timer.is_due(ns(1'030)));
  CHECK_FALSE(timer.is_due(ns(1'029)));
  timer.scanned();
  CHECK(timer.next() == ns(1'130));
  CHECK_FALSE(timer.is_due(ns(1'129)));
  CHECK(timer.is_due(ns(1'130)));
  timer.restart();
  CHECK(timer.is_due(ns(5)));
  CHECK_FALSE(ScanTimer(ns(0)).is_due(ns(1'000)));
}

TEST_CASE("scans in vain are skipped up to the first useful one, and none after the given time") {
  for (std::uint64_t fruitful = 900; fruitful < 2'300; fruitful += 50) {  // scans are useful from then on
    CAPTURE(fruitful);
    ScanTimer timer(ns(100));
    timer.skip(ns(1'000), [](Nanoseconds) { return false; });
    std::vector<Nanoseconds> asked;
    timer.skip(ns(2'040), [&](Nanoseconds scan) {
      asked.push_back(scan);
      return scan < ns(fruitful);
    });
    std::uint64_t expected = 1'000;
    while (expected <= 2'040 && expected < fruitful) expected += 100;
    CHECK(timer.next() == ns(expected));
    CHECK(timer.is_due(ns(2'040)) == (expected <= 2'040));
    CHECK(asked.size() <= 5);  // instead of eleven, by bisection
    for (const Nanoseconds scan : asked) CHECK((scan >= ns(1'000) && scan <= ns(2'040) && scan.count() % 100 == 0));
  }
}

TEST_CASE("the next scan of a saved drive is at most one interval ahead") {
  ScanTimer timer(ns(100));
  CHECK(timer.is_plausible_next(ns(0)));  // no scan yet
  timer.skip(ns(1'000), [](Nanoseconds) { return false; });
  CHECK(timer.is_plausible_next(ns(900)));
  CHECK_FALSE(timer.is_plausible_next(ns(899)));
  CHECK(timer.is_plausible_next(ns(5'000)));
  Archive out = Archive::saving();
  timer.archive(out);
  ScanTimer other(ns(100));
  Archive in = Archive::loading(out.finish());
  other.archive(in);
  CHECK(other.next() == ns(1'000));
  ScanTimer early(ns(100));
  early.skip(ns(30), [](Nanoseconds) { return false; });
  CHECK(early.is_plausible_next(ns(0)));
}
