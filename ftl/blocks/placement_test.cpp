// Placement by superblock lifetime and by write frequency.
#include "ftl/blocks/placement.h"

#include "sim/testing/test.h"

using namespace ftlab;

// Six classes: 0 and 1 for host writes, 2 for pages relocated from class 0, and 3 to 5 for other relocated pages with an age
// below 4 times, below 16 times and above the mean lifetime of the last 16 collected superblocks of class 0.
TEST_CASE("relocated pages are classified by the mean lifetime of the last sixteen superblocks of the first class") {
  PlacementConfig config;
  config.scheme = PlacementConfig::Scheme::invalidation_time;
  Placement placement(config, true, 1000);
  const auto class_of_age = [&](std::uint32_t age) {
    return placement.of_relocated(Lpn{1}, Version{1'000'000}, Version{1'000'000 + age}, 1);
  };
  CHECK(class_of_age(900'000) == 3);  // no lifetime is known yet
  std::uint64_t now = 0;
  for (const std::uint32_t life : {100u, 250u}) {
    for (int collected = 0; collected < 16; ++collected) {
      now += 1000;
      placement.collected(0, now - life + (collected % 2 == 0 ? 10 : -10), now);
      placement.collected(1, 0, now);  // another class
      if (collected < 15 && life == 250) CHECK(class_of_age(4 * 100 - 1) == 3);
    }
    CHECK(class_of_age(4 * life - 1) == 3);
    CHECK(class_of_age(4 * life) == 4);
    CHECK(class_of_age(16 * life - 1) == 4);
    CHECK(class_of_age(16 * life) == 5);
  }
  CHECK(placement.of_relocated(Lpn{1}, Version{1}, Version{2}, 0) == 2);
}

TEST_CASE("a hot page stays hot after any number of writes and through renumbered versions") {
  PlacementConfig config;
  config.scheme = PlacementConfig::Scheme::frequency;
  config.hot_writes = 3;
  config.halve_after_pages = 1000;
  Placement placement(config, true, 1000);
  for (std::uint32_t write = 1; write <= 600; ++write) {
    INFO("write " << write);
    CHECK(placement.of_host(Lpn{7}, 0, Version{write - 1}, Version{write}) == (write < 3 ? 1 : 0));
  }
  placement.versions_reduced_by(500);  // version 600 becomes 100
  CHECK(placement.of_relocated(Lpn{7}, Version{100}, Version{101}, 0) == 2);
  CHECK(placement.of_host(Lpn{7}, 0, Version{100}, Version{102}) == 0);
  CHECK(placement.of_host(Lpn{8}, 0, Version{0}, Version{103}) == 1);
}
