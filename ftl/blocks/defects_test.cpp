#include "ftl/blocks/defects.h"

#include <algorithm>
#include <set>

#include "sim/core/archive.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

struct Shape {
  std::uint32_t rows;
  std::uint32_t groups;
  std::uint32_t lanes;
};

constexpr Shape kShapes[] = {{1, 1, 1}, {20, 1, 1}, {20, 1, 8}, {12, 4, 4}, {9, 3, 1}, {200, 2, 16}};

Defects made(const Shape& shape) { return Defects(shape.rows * shape.groups, shape.groups, shape.lanes); }

// Computed without the class: blocks of one lane group are `groups` superblocks apart.
std::uint32_t lane_minimum(const Defects& defects, const Shape& shape, std::uint32_t group) {
  std::uint32_t least = shape.rows;
  for (std::uint32_t lane = 0; lane < shape.lanes; ++lane) {
    std::uint32_t good = 0;
    for (std::uint32_t row = 0; row < shape.rows; ++row) {
      const BlockUse use = defects.use((row * shape.groups + group) * shape.lanes + lane);
      good += use == BlockUse::serving || use == BlockUse::spare;
    }
    least = std::min(least, good);
  }
  return least;
}

void check_law(const Defects& defects, const Shape& shape) {
  std::set<std::uint32_t> serving;
  std::uint32_t spares = 0;
  for (std::uint32_t group = 0; group < shape.groups; ++group) {
    std::uint32_t usable = 0;
    for (std::uint32_t s = group; s < shape.rows * shape.groups; s += shape.groups) {
      if (defects.retired(SuperblockId{s})) continue;
      ++usable;
      for (std::uint32_t lane = 0; lane < shape.lanes; ++lane) serving.insert(defects.physical_block(SuperblockId{s}, lane));
    }
    REQUIRE(usable == lane_minimum(defects, shape, group));
    for (std::uint32_t lane = 0; lane < shape.lanes; ++lane) spares += defects.spares(group, lane);
  }
  REQUIRE(serving.size() == defects.usable() * shape.lanes);  // no block serves twice
  REQUIRE(serving.size() + spares + defects.factory_bad() + defects.grown_bad() == defects.block_count());
  defects.inspect();
}

SuperblockId some_usable(const Defects& defects, RandomStream& random) {
  for (;;) {
    const SuperblockId superblock{static_cast<std::uint32_t>(random.below(defects.superblocks()))};
    if (!defects.retired(superblock)) return superblock;
  }
}

}  // namespace

TEST_CASE("without defects every superblock consists of its own blocks") {
  for (const Shape& shape : kShapes) {
    Defects defects = made(shape);
    defects.start([](std::uint32_t) { return false; });
    for (std::uint32_t s = 0; s < defects.superblocks(); ++s) {
      for (std::uint32_t lane = 0; lane < shape.lanes; ++lane) {
        REQUIRE(defects.physical_block(SuperblockId{s}, lane) == s * shape.lanes + lane);
      }
    }
    CHECK(defects.usable() == defects.superblocks());
    check_law(defects, shape);
  }
}

TEST_CASE("a group keeps as many superblocks as its worst lane has good blocks, from the factory until the last one fails") {
  for (const Shape& shape : kShapes) {
    for (const std::uint64_t per_mille : {0, 5, 50, 500, 1000}) {
      CAPTURE(shape.rows, shape.groups, shape.lanes, per_mille);
      RandomStream random(11, "defects_test");
      Defects defects = made(shape);
      defects.start([&](std::uint32_t) { return random.chance(per_mille, 1000); });
      check_law(defects, shape);
      for (std::uint32_t failures = 1; defects.usable() > 0; ++failures) {
        const std::uint32_t usable = defects.usable();
        const SuperblockId superblock = some_usable(defects, random);
        const auto lane = static_cast<std::uint32_t>(random.below(shape.lanes));
        const std::uint32_t failed = defects.physical_block(superblock, lane);
        const bool spare = defects.spares(defects.group_of(superblock), lane) > 0;
        const Defects::Outcome outcome = defects.fail(superblock, lane);
        REQUIRE((outcome == Defects::Outcome::replaced) == spare);
        REQUIRE(defects.retired(superblock) == !spare);
        REQUIRE(defects.usable() == usable - !spare);
        REQUIRE(defects.use(failed) == BlockUse::grown_bad);
        REQUIRE(defects.grown_bad() == failures);
        if (failures % 16 == 1 || defects.usable() == 0) check_law(defects, shape);
      }
    }
  }
}

TEST_CASE("factory bad blocks are replaced from the last rows of their own lane group") {
  Defects defects(8, 2, 2);  // group 1: superblocks 1, 3, 5, 7
  defects.start([](std::uint32_t block) { return block == 3 * 2 + 1 || block == 5 * 2; });
  CHECK(defects.usable() == 7);
  CHECK(defects.retired(SuperblockId{7}));
  CHECK(defects.physical_block(SuperblockId{3}, 1) == 7 * 2 + 1);
  CHECK(defects.physical_block(SuperblockId{5}, 0) == 7 * 2);
  CHECK(defects.physical_block(SuperblockId{3}, 0) == 3 * 2);
  CHECK(defects.factory_bad() == 2);
  CHECK(defects.spares(1, 0) + defects.spares(1, 1) == 0);
}

TEST_CASE("a superblock without a spare is dissolved and its other blocks replace later failures") {
  Defects defects(4, 1, 3);
  defects.start([](std::uint32_t) { return false; });
  CHECK(defects.fail(SuperblockId{2}, 1) == Defects::Outcome::retired);
  CHECK(defects.spares(0, 0) == 1);
  CHECK(defects.spares(0, 1) == 0);
  CHECK(defects.fail(SuperblockId{0}, 0) == Defects::Outcome::replaced);
  CHECK(defects.physical_block(SuperblockId{0}, 0) == 2 * 3);
  CHECK(defects.fail(SuperblockId{0}, 0) == Defects::Outcome::retired);  // the replacement also fails
  CHECK(defects.usable() == 2);
  CHECK(defects.grown_bad() == 3);
  check_law(defects, {4, 1, 3});
}

TEST_CASE("defects number superblocks and groups like the layout") {
  const Geometry geometry{2, 2, 1, 4, 6, 4, 4096, 0, 512};
  for (const SuperblockShape& shape : {SuperblockShape{2, 2}, SuperblockShape{4, 1}, SuperblockShape{1, 4}}) {
    const Layout layout(geometry, shape, 4096);
    const Defects defects(geometry, shape);
    CHECK(defects.superblocks() == layout.superblocks());
    CHECK(defects.lanes_per_superblock() == layout.blocks_per_superblock());
    CHECK(defects.block_count() == geometry.blocks());
    for (std::uint32_t s = 0; s < layout.superblocks(); ++s) {  // superblocks of one group lie on the same dies
      const SuperblockId first{defects.group_of(SuperblockId{s})};
      for (std::uint32_t t = 0; t < shape.dies; ++t) REQUIRE(layout.die_of(SuperblockId{s}, t) == layout.die_of(first, t));
    }
  }
}

TEST_CASE("a retired superblock has no blocks and cannot fail") {
  Defects defects(2, 1, 2);
  defects.start([](std::uint32_t) { return false; });
  defects.fail(SuperblockId{1}, 0);
  CHECK_THROWS_AS(defects.physical_block(SuperblockId{1}, 1), CheckFailed);
  CHECK_THROWS_AS(defects.fail(SuperblockId{1}, 1), CheckFailed);
  CHECK_THROWS_AS(defects.fail(SuperblockId{2}, 0), CheckFailed);
  CHECK_THROWS_AS(defects.fail(SuperblockId{0}, 2), CheckFailed);
  CHECK_THROWS_AS(defects.start([](std::uint32_t) { return false; }), CheckFailed);
  CHECK_THROWS_AS(Defects(7, 2, 1), CheckFailed);
}

TEST_CASE("defects loaded from an archive behave like the saved ones") {
  const Shape shape{12, 4, 4};
  RandomStream random(3, "defects_test");
  Defects saved = made(shape);
  Defects loaded = made(shape);
  saved.start([&](std::uint32_t) { return random.chance(1, 20); });
  for (int i = 0; i < 10; ++i) saved.fail(some_usable(saved, random), 1);
  Archive file = Archive::saving();
  saved.archive(file);
  Archive copy = Archive::loading(file.finish());
  loaded.archive(copy);
  copy.end();
  check_law(loaded, shape);
  while (saved.usable() > 0) {
    const SuperblockId superblock = some_usable(saved, random);
    const auto lane = static_cast<std::uint32_t>(random.below(shape.lanes));
    REQUIRE(saved.physical_block(superblock, lane) == loaded.physical_block(superblock, lane));
    REQUIRE(saved.fail(superblock, lane) == loaded.fail(superblock, lane));
  }
  CHECK(loaded.usable() == 0);
}
