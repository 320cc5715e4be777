// Where pages go by the time that their superblocks lived.
#include "ftl/blocks/placement.h"

#include "sim/testing/test.h"

using namespace ftlab;

// Six classes: 0 and 1 of the host, then relocated pages: those of the first class, and by age below 4 times, below 16 times
// and above the mean life of the last 16 collected superblocks of that class.
TEST_CASE("relocated pages are told apart by the mean life of the last sixteen superblocks of the first class") {
  PlacementConfig config;
  config.scheme = PlacementConfig::Scheme::invalidation_time;
  Placement placement(config, true, 1000);
  const auto class_of_age = [&](std::uint32_t age) {
    return placement.of_relocated(Lpn{1}, Version{1'000'000}, Version{1'000'000 + age}, 1);
  };
  CHECK(class_of_age(900'000) == 3);  // nothing is known yet
  std::uint64_t now = 0;
  for (const std::uint32_t life : {100u, 250u}) {
    for (int collected = 0; collected < 16; ++collected) {
      now += 1000;
      placement.collected(0, now - life + (collected % 2 == 0 ? 10 : -10), now);
      placement.collected(1, 0, now);  // of another class
      if (collected < 15 && life == 250) CHECK(class_of_age(4 * 100 - 1) == 3);
    }
    CHECK(class_of_age(4 * life - 1) == 3);
    CHECK(class_of_age(4 * life) == 4);
    CHECK(class_of_age(16 * life - 1) == 4);
    CHECK(class_of_age(16 * life) == 5);
  }
  CHECK(placement.of_relocated(Lpn{1}, Version{1}, Version{2}, 0) == 2);
}

TEST_CASE("a page stays hot however often it is written, and through renumbered versions") {
  PlacementConfig config;
  config.scheme = PlacementConfig::Scheme::frequency;
  config.hot_writes = 3;
  config.halve_after_pages = 1000;
  Placement placement(config, true, 1000);
  for (std::uint32_t write = 1; write <= 600; ++write) {
    INFO("write " << write);
    CHECK(placement.of_host(Lpn{7}, 0, Version{write - 1}, Version{write}) == (write < 3 ? 1 : 0));
  }
  placement.count_on(500);  // version 600 is 100 from now on
  CHECK(placement.of_relocated(Lpn{7}, Version{100}, Version{101}, 0) == 2);
  CHECK(placement.of_host(Lpn{7}, 0, Version{100}, Version{102}) == 0);
  CHECK(placement.of_host(Lpn{8}, 0, Version{0}, Version{103}) == 1);
}
