#include "models/nand/schedule/moment_ring.h"

#include "models/nand/schedule/winner_tree.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("the ring gives the same first moment as the tree, whatever is set, moved or removed") {
  for (const std::uint32_t leaves : {1u, 2u, 5u, 24u, 64u}) {
    CAPTURE(leaves);
    RandomStream random(leaves, "moment ring");
    MomentRing ring(leaves);
    WinnerTree tree(leaves);
    Nanoseconds now{0};
    for (int i = 0; i < 20'000; ++i) {
      const auto leaf = static_cast<std::uint32_t>(random.below(leaves));
      const Nanoseconds at = random.chance(1, 5) ? kNever : now + Nanoseconds{random.below(20)};  // often equal times
      ring.set(leaf, at);
      tree.set(leaf, at);
      REQUIRE(ring.at(leaf) == at);
      REQUIRE(ring.next() == tree.next());
      if (tree.next() == kNever) continue;
      REQUIRE(ring.first() == tree.first());
      if (random.chance(1, 3)) now = tree.next();
    }
    ring.clear();
    CHECK(ring.next() == kNever);
  }
}
