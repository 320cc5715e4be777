// When refresh is worthwhile, and the order in which waiting superblocks are taken.
#include "ftl/read/refresh.h"

#include <algorithm>
#include <vector>

#include "sim/core/check.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr RefreshConfig kConfig{2'000'000'000'000, 3, Nanoseconds{1'000}, 8};  // 2e-3 errors per bit

// Eight closed superblocks of four pages; those in `second` belong to the second of two pools.
Blocks closed(const std::vector<std::uint32_t>& second) {
  const Layout layout({1, 1, 1, 1, 8, 4, 4096, 0, 512}, {1, 1}, 4096);
  Blocks blocks(layout, {Bins::Keeping::none, 0, {8, 8}, {}});
  for (std::uint32_t b = 0; b < 8; ++b) {
    const bool in_second = std::find(second.begin(), second.end(), b) != second.end();
    blocks.close(blocks.open(in_second ? 1 : 0, 0), b);
  }
  return blocks;
}

}  // namespace

TEST_CASE("gathered errors above the threshold call for refresh, or half of all errors after many retries") {
  const Refresh refresh(kConfig, 8, 1);
  CHECK(refresh.wants({0, 2e-3}, 0));
  CHECK_FALSE(refresh.wants({0, 1.99e-3}, 0));
  CHECK_FALSE(refresh.wants({1, 1.99e-3}, 0));  // errors of wear would return at once
  CHECK(refresh.wants({1e-3, 1e-3}, 3));
  CHECK_FALSE(refresh.wants({1e-3, 1e-3}, 2));
  CHECK_FALSE(refresh.wants({1.01e-3, 1e-3}, 3));
  CHECK_FALSE(Refresh({}, 8, 1).wants({0, 1}, 9));
}

TEST_CASE("waiting superblocks are taken in cyclic order of their numbers, for each pool separately") {
  const Blocks blocks = closed({1, 4});
  Refresh refresh(kConfig, 8, 2);
  const auto take = [&](std::uint32_t pool) { return refresh.take(blocks, pool); };
  CHECK(take(0) == kNoBlock);
  for (const std::uint32_t b : {6u, 1u, 3u, 4u, 3u}) refresh.enqueue_refresh(SuperblockId{b}, b == 1 || b == 4 ? 1 : 0);
  CHECK((refresh.waits(0u) && refresh.waits(1u)));
  CHECK((refresh.waits(SuperblockId{3}) && !refresh.waits(SuperblockId{2})));
  CHECK(take(0) == SuperblockId{3});
  CHECK_FALSE(refresh.waits(SuperblockId{3}));
  refresh.enqueue_refresh(SuperblockId{2}, 0);  // before the one taken last, so it comes later
  CHECK(take(0) == SuperblockId{6});
  CHECK(take(0) == SuperblockId{2});
  CHECK(take(0) == kNoBlock);
  CHECK_FALSE(refresh.waits(0u));
  CHECK(take(1) == SuperblockId{4});
  refresh.forget(SuperblockId{1}, 1);
  CHECK(take(1) == kNoBlock);
  refresh.forget(SuperblockId{1}, 1);  // no longer waiting
  refresh.enqueue_refresh(SuperblockId{7}, 0);
  CHECK(take(0) == SuperblockId{7});
  refresh.enqueue_refresh(SuperblockId{0}, 0);  // the search wraps around after the last superblock
  CHECK(take(0) == SuperblockId{0});
  refresh.enqueue_refresh(SuperblockId{5}, 0);
  CHECK_THROWS_AS(refresh.forget(SuperblockId{5}, 1), CheckFailed);
}
