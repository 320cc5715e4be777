#include "models/nand/schedule/winner_tree.h"

#include <algorithm>
#include <vector>

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("at equal times the lower leaf comes first") {
  WinnerTree tree(5);
  CHECK(tree.next() == kNever);
  tree.set(4, Nanoseconds{10});
  tree.set(2, Nanoseconds{10});
  CHECK(tree.first() == 2);
  tree.set(0, Nanoseconds{11});
  CHECK(tree.first() == 2);
  tree.set(2, kNever);
  CHECK((tree.first() == 4 && tree.next() == Nanoseconds{10}));
  tree.clear();
  CHECK(tree.next() == kNever);
}

TEST_CASE("the tree finds the earliest of any times, however far apart") {
  RandomStream random(6, "winner tree");
  constexpr std::uint32_t kLeaves = 42;
  WinnerTree tree(kLeaves);
  std::vector<Nanoseconds> moments(kLeaves, kNever);
  Nanoseconds now{0};
  for (int i = 0; i < 20'000; ++i) {
    const auto leaf = static_cast<std::uint32_t>(random.below(kLeaves));
    // Most times are within a millisecond, a few within a century; none is in the past.
    const std::uint64_t ahead = random.chance(1, 50) ? random.below(3'000'000'000'000'000'000) : random.below(1'000'000);
    const bool fits = now.count() + ahead < ~std::uint64_t{0} / 4;
    moments[leaf] = random.chance(1, 8) || !fits ? kNever : now + Nanoseconds{ahead};
    const bool near = std::all_of(moments.begin(), moments.end(), [&](Nanoseconds moment) {
      return moment == kNever || moment - now < Nanoseconds{100'000'000'000'000'000};
    });
    if (!near) moments[leaf] = now + Nanoseconds{7};
    tree.set(leaf, moments[leaf]);
    REQUIRE(tree.at(leaf) == moments[leaf]);
    const auto first = std::min_element(moments.begin(), moments.end());
    REQUIRE(tree.next() == *first);
    if (*first == kNever) continue;
    REQUIRE(tree.first() == first - moments.begin());
    if (random.chance(1, 3)) now = *first;
  }
  CHECK(now > Nanoseconds{0});
}

TEST_CASE("the tree follows time for a century and keeps the pending times") {
  constexpr std::uint64_t kYear = 31'536'000'000'000'000;
  RandomStream random(7, "winner tree");
  for (const std::uint32_t leaves : {2u, 3u, 4u, 16u, 42u, 64u}) {
    CAPTURE(leaves);
    WinnerTree tree(leaves);
    std::vector<Nanoseconds> moments(leaves, kNever);
    Nanoseconds now{0};
    for (int i = 0; now.count() < 100 * kYear; ++i) {
      const auto leaf = static_cast<std::uint32_t>(random.below(leaves));
      // At most a year ahead, half of them within a second.
      moments[leaf] = now + Nanoseconds{random.below(random.chance(1, 2) ? 1'000'000'000 : kYear)};
      if (random.chance(1, 16)) moments[leaf] = kNever;
      tree.set(leaf, moments[leaf]);
      const auto first = std::min_element(moments.begin(), moments.end());
      if (random.chance(1, 32) || moments[leaf] - now > Nanoseconds{kYear / 2})
        for (std::uint32_t other = 0; other < leaves; ++other) REQUIRE(tree.at(other) == moments[other]);
      REQUIRE(tree.next() == *first);
      if (*first == kNever) continue;
      REQUIRE(tree.first() == first - moments.begin());
      now = *first;
      if (random.chance(1, 4)) continue;  // it stays pending
      moments[tree.first()] = kNever;
      tree.set(tree.first(), kNever);
    }
  }
}

TEST_CASE("times too far apart for the tree to order are refused") {
  WinnerTree tree(1u << 16);
  tree.set(0, Nanoseconds{1});
  CHECK_THROWS_AS(tree.set(1, Nanoseconds{~std::uint64_t{0} / 2}), CheckFailed);
}
