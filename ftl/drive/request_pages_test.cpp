// A request as the firmware sees it: pages, each with its part of the bytes, and the cost of finding them in the map.
#include <utility>

#include "ftl/drive/drive.h"
#include "ftl/read/page_walk.h"
#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a walk visits each page of a request once, with its part of the bytes") {
  for (const std::uint32_t page : {512u, 4'096u}) {
    for (std::uint64_t offset = 0; offset < 9'000; offset += 512) {
      for (std::uint64_t length = 512; length < 14'000; length += 512) {
        CAPTURE(page, offset, length);
        Request request;
        request.offset_bytes = offset;
        request.length_bytes = length;
        std::uint64_t at = offset, left = (offset + length - 1) / page - offset / page + 1;
        PageWalk walk(request, page);
        for (; walk.more(); walk.step(), --left) {
          REQUIRE(walk.offset == at);
          REQUIRE(number(walk.lpn()) == at / page);
          REQUIRE(walk.first_byte() == at % page);
          REQUIRE(walk.pages() == left);
          REQUIRE(walk.is_last() == (left == 1));
          REQUIRE((walk.bytes() > 0 && walk.first_byte() + walk.bytes() <= page));
          at += walk.bytes();
        }
        REQUIRE((at == offset + length && left == 0 && walk.pages() == 0));
      }
    }
  }
}

TEST_CASE("the last page found and its successor in map and flash cost no search") {
  MapSearch search(Nanoseconds{100}, Nanoseconds{7});
  const auto cost = [&](std::uint32_t lpn, Ppn ppn) { return search.cost(Lpn{lpn}, ppn, 9).count(); };
  constexpr std::uint64_t kSearched = 100 + 7 * 4, kFound = 100;  // nine entries: four levels
  CHECK(cost(10, Ppn{50}) == kSearched);
  CHECK(cost(10, Ppn{50}) == kFound);
  CHECK(cost(11, Ppn{51}) == kFound);
  CHECK(cost(12, Ppn{53}) == kSearched);
  CHECK(cost(14, Ppn{54}) == kSearched);
  CHECK(cost(13, Ppn{53}) == kSearched);
  CHECK(cost(13, Ppn{54}) == kSearched);  // it was rewritten
  CHECK(cost(14, kNoPpn) == kSearched);
  CHECK(cost(15, kNoPpn) == kFound);  // a hole continues like an extent
  CHECK(cost(17, kNoPpn) == kSearched);
  CHECK(cost(18, Ppn{0}) == kSearched);
  CHECK(cost(19, Ppn{1}) == kFound);
}

TEST_CASE("a search takes a step for each level of a tree of all extents") {
  for (const auto& [extents, levels] : {std::pair{0u, 0u}, {1u, 1u}, {2u, 2u}, {3u, 2u}, {4u, 3u}, {1'000u, 10u}}) {
    MapSearch search(Nanoseconds{0}, Nanoseconds{5});
    CHECK(search.cost(Lpn{0}, Ppn{9}, extents).count() == 5 * levels);
  }
  CHECK_FALSE(MapSearch(Nanoseconds{0}, Nanoseconds{0}).costs());
  CHECK(MapSearch(Nanoseconds{1}, Nanoseconds{0}).costs());
  CHECK(MapSearch(Nanoseconds{0}, Nanoseconds{1}).costs());
}

TEST_CASE("an announced request beyond the end of the drive is ignored") {
  DriveConfig config = striped_drive();
  Drive drive(config, Clock::untimed);
  for (const std::uint64_t beyond : {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{1} << 43}) {
    for (std::uint64_t i = 0; i < 20; ++i) {
      CHECK_NOTHROW(drive.expect({0, Op::write, config.user_bytes + beyond + i * 4096, 4096, Nanoseconds{0}}));
      CHECK_NOTHROW(drive.expect({0, Op::write, i * 4096, 4096, Nanoseconds{0}}));
    }
  }
}
