// The page map: look-ups, extents compared with a plain count, and pages that are moved from their place.
#include "ftl/mapping/page_map.h"

#include <algorithm>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint32_t kLpns = 50, kRegion = 16;

// Eight superblocks of 16 pages.
Layout layout() { return Layout({1, 1, 1, 1, 8, 16, 4096, 0, 512}, {1, 1}, 4096); }

// An extent: pages of one region in consecutive slots of one superblock.
std::uint32_t count_extents(const std::vector<Ppn>& pages, std::uint32_t region) {
  std::uint32_t extents = 0;
  for (std::uint32_t l = region * kRegion; l < std::min((region + 1) * kRegion, kLpns); ++l) {
    const bool mapped = pages[l] != kNoPpn;
    const bool follows = l % kRegion != 0 && pages[l - 1] != kNoPpn && number(pages[l - 1]) + 1 == number(pages[l]) &&
                         number(pages[l]) % 16 != 0;
    extents += mapped && !follows;
  }
  return extents;
}

}  // namespace

TEST_CASE("the page map finds pages that were set, and counts the extents of each region") {
  RandomStream random(3, "page map");
  PageMap map(kLpns, layout(), kRegion), uncounted(kLpns, layout(), 0);
  std::vector<Ppn> pages(kLpns, kNoPpn);
  CHECK((map.regions() == 4 && uncounted.regions() == 0));
  for (int step = 0; step < 4'000; ++step) {
    const auto lpn = static_cast<std::uint32_t>(random.below(kLpns));
    // Often in the slot after the preceding page, so that extents merge.
    const bool behind = lpn > 0 && pages[lpn - 1] != kNoPpn && random.chance(2, 3) && number(pages[lpn - 1]) + 1 < 128;
    pages[lpn] = random.chance(1, 8) ? kNoPpn
                 : behind            ? Ppn{number(pages[lpn - 1]) + 1}
                                     : Ppn{static_cast<std::uint32_t>(random.below(128))};
    for (PageMap* const one : {&map, &uncounted}) {
      pages[lpn] == kNoPpn ? one->clear(Lpn{lpn}) : one->set(Lpn{lpn}, pages[lpn]);
      REQUIRE(one->find(Lpn{lpn}) == pages[lpn]);
    }
    std::uint32_t all = 0;
    for (std::uint32_t region = 0; region < 4; ++region) {
      REQUIRE(map.extents_of(region) == count_extents(pages, region));
      all += map.extents_of(region);
    }
    REQUIRE(map.extents() == all);
  }
  for (std::uint32_t l = 0; l < kLpns; ++l) CHECK((map.find(Lpn{l}) == pages[l] && uncounted.find(Lpn{l}) == pages[l]));
}

TEST_CASE("pages are moved together from their place, and a move from another place fails") {
  for (const std::uint32_t region : {0u, kRegion}) {
    CAPTURE(region);
    PageMap map(kLpns, layout(), region);
    const std::vector<Lpn> lpns = {Lpn{7}, Lpn{3}, Lpn{20}}, next = {Lpn{1}, Lpn{2}};
    const std::vector<std::uint32_t> positions = {1, 4, 5};
    for (std::size_t i = 0; i < 3; ++i) map.set(lpns[i], Ppn{32 + positions[i]});
    map.move(lpns, Ppn{32}, positions, Ppn{64});
    for (std::uint32_t i = 0; i < 3; ++i) CHECK(map.find(lpns[i]) == Ppn{64 + i});
    CHECK((region == 0 || map.extents() == 3));
    CHECK_THROWS_AS(map.move(lpns, Ppn{32}, positions, Ppn{80}), CheckFailed);  // their old place
    for (const std::uint32_t lost : {7u, 3u, 20u}) {
      PageMap other(kLpns, layout(), region);
      for (std::size_t i = 0; i < 3; ++i) other.set(lpns[i], Ppn{32 + positions[i]});
      other.clear(Lpn{lost});
      CHECK_THROWS_AS(other.move(lpns, Ppn{32}, positions, Ppn{64}), CheckFailed);
    }
  }
}
