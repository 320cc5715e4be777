#include "models/power/activity.h"

#include "sim/testing/test.h"

using namespace ftlab;

namespace {
Nanoseconds ns(std::uint64_t value) { return Nanoseconds{value}; }
}  // namespace

TEST_CASE("overlapping requests count as active time once") {
  Activity activity(kNever);
  activity.begin(ns(100));
  activity.end(ns(200));
  activity.begin(ns(150));
  activity.end(ns(180));
  activity.begin(ns(190));
  activity.end(ns(250));
  activity.begin(ns(250));
  activity.end(ns(260));
  activity.begin(ns(300));
  activity.end(ns(310));
  CHECK(activity.active(ns(1000)) == ns(160 + 10));
  CHECK(activity.asleep(ns(1000)) == ns(0));
  CHECK_FALSE(activity.asleep_at(ns(1'000'000'000)));
}

TEST_CASE("time after the moment asked for counts neither as active nor as asleep") {
  Activity activity(ns(50));
  activity.begin(ns(1000));
  activity.end(ns(2000));
  CHECK(activity.active(ns(500)) == ns(0));
  CHECK(activity.active(ns(1000)) == ns(0));
  CHECK(activity.active(ns(1700)) == ns(700));
  CHECK(activity.active(ns(2000)) == ns(1000));
  CHECK(activity.asleep(ns(40)) == ns(0));
  CHECK(activity.asleep(ns(500)) == ns(450));
  CHECK(activity.asleep(ns(1500)) == ns(950));
}

TEST_CASE("a drive sleeps after exactly the configured idle time") {
  Activity activity(ns(100));
  activity.begin(ns(0));
  activity.end(ns(10));
  CHECK_FALSE(activity.asleep_at(ns(110)));
  CHECK(activity.asleep_at(ns(111)));
  CHECK(activity.asleep(ns(110)) == ns(0));
  CHECK(activity.asleep(ns(111)) == ns(1));
  activity.begin(ns(110));
  activity.end(ns(120));
  CHECK(activity.asleep(ns(120)) == ns(0));
  activity.begin(ns(1000));
  activity.end(ns(1100));
  CHECK(activity.asleep(ns(1100)) == ns(1000 - 120 - 100));
}

TEST_CASE("active and sleep times of two intervals add up, wherever they are split") {
  for (const std::uint64_t cut : {300u, 349u, 350u, 351u, 400u, 450u, 500u, 700u}) {
    Activity activity(ns(50));
    activity.begin(ns(0));
    activity.end(ns(300));
    const Nanoseconds early = activity.asleep(ns(300)), busy = activity.active(ns(300));
    activity.begin(ns(400));
    activity.end(ns(500));  // submitted before the interval is closed at `cut`
    CHECK(activity.asleep(ns(cut)) <= ns(cut));
    CHECK(activity.active(ns(cut)) + activity.asleep(ns(cut)) <= ns(cut));
    CHECK(activity.active(ns(cut)) >= busy);
    CHECK(activity.asleep(ns(cut)) >= early);
    CHECK(activity.asleep(ns(700)) == ns(50 + 150));
    CHECK(activity.active(ns(700)) == ns(400));
  }
}
