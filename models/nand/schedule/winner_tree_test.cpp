#include "models/nand/schedule/winner_tree.h"

#include <algorithm>
#include <vector>

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("of equal moments the lower leaf comes first") {
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

TEST_CASE("the tree tells the first of any moments, however far apart") {
  RandomStream random(6, "winner tree");
  constexpr std::uint32_t kLeaves = 42;
  WinnerTree tree(kLeaves);
  std::vector<Nanoseconds> moments(kLeaves, kNever);
  Nanoseconds now{0};
  for (int i = 0; i < 20'000; ++i) {
    const auto leaf = static_cast<std::uint32_t>(random.below(kLeaves));
    // Most within a millisecond, a few within a century; what is pending is never in the past.
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

TEST_CASE("the tree follows time for a century, and keeps what is pending in its place") {
  constexpr std::uint64_t kYear = 31'536'000'000'000'000;
  RandomStream random(7, "winner tree");
  for (const std::uint32_t leaves : {2u, 3u, 4u, 16u, 42u, 64u}) {
    CAPTURE(leaves);
    WinnerTree tree(leaves);
    std::vector<Nanoseconds> moments(leaves, kNever);
    Nanoseconds now{0};
    for (int i = 0; now.count() < 100 * kYear; ++i) {
      const auto leaf = static_cast<std::uint32_t>(random.below(leaves));
      // A year ahead at most, half of the time within a second.
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
      if (random.chance(1, 4)) continue;  // another one may be first, too
      moments[tree.first()] = kNever;
      tree.set(tree.first(), kNever);
    }
  }
}

TEST_CASE("moments of which the tree could not tell the order are refused") {
  WinnerTree tree(1u << 16);
  tree.set(0, Nanoseconds{1});
  CHECK_THROWS_AS(tree.set(1, Nanoseconds{~std::uint64_t{0} / 2}), CheckFailed);
}
