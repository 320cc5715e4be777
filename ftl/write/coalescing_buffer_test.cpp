// Pages held in RAM: in order of arrival, each once, with overlapping parts merged.
#include "ftl/write/coalescing_buffer.h"

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint32_t kPageBytes = 4096;

CoalescedPage part(std::uint32_t lpn, std::uint32_t version, std::uint32_t first, std::uint32_t end) {
  CoalescedPage page;
  page.lpn = Lpn{lpn};
  page.version = Version{version};
  page.first_byte = first;
  page.end_byte = end;
  return page;
}

CoalescedPage merged(const CoalescedPage& older, const CoalescedPage& newer) {
  CoalescingBuffer held(4);
  bool coalesced = true;
  held.merge(older, coalesced);
  REQUIRE_FALSE(coalesced);
  const CoalescedPage page = held.merge(newer, coalesced);
  REQUIRE(coalesced);
  REQUIRE(held.size() == 1);
  return page;
}

}  // namespace

TEST_CASE("held pages leave in order of arrival, even if they are rewritten") {
  CoalescingBuffer held(2);
  bool coalesced;
  for (const std::uint32_t lpn : {7u, 3u, 9u}) held.merge(part(lpn, lpn, 0, 512), coalesced);
  REQUIRE(held.over_capacity());
  held.merge(part(7, 20, 512, 1024), coalesced);
  const CoalescedPage oldest = held.take_oldest();
  REQUIRE(oldest.lpn == Lpn{7});
  REQUIRE(oldest.version == Version{20});
  REQUIRE_FALSE(held.over_capacity());
  REQUIRE(held.take(Lpn{9})->lpn == Lpn{9});
  REQUIRE_FALSE(held.take(Lpn{9}).has_value());
  REQUIRE(held.take_oldest().lpn == Lpn{3});
  REQUIRE(held.empty());
  REQUIRE_THROWS_AS(held.take_oldest(), CheckFailed);
}

TEST_CASE("removing a page from the middle keeps the order of the others") {
  CoalescingBuffer held(9);
  bool coalesced;
  for (std::uint32_t lpn = 0; lpn < 5; ++lpn) held.merge(part(lpn, 1, 0, 512), coalesced);
  held.take(Lpn{2});
  held.take(Lpn{4});
  held.merge(part(8, 2, 0, 512), coalesced);
  std::vector<std::uint32_t> order;
  for (const CoalescedPage& page : held.in_order()) order.push_back(number(page.lpn));
  REQUIRE(order == std::vector<std::uint32_t>{0, 1, 3, 8});
  REQUIRE(held.find(Lpn{2}) == nullptr);
  REQUIRE(held.find(Lpn{3})->lpn == Lpn{3});
}

TEST_CASE("adjacent parts merge, and together may cover the whole page") {
  const CoalescedPage halves = merged(part(1, 1, 0, 2048), part(1, 2, 2048, kPageBytes));
  REQUIRE(halves.whole(kPageBytes));
  REQUIRE(halves.version == Version{2});
  REQUIRE(merged(part(1, 1, 2048, kPageBytes), part(1, 2, 0, 2048)).whole(kPageBytes));
  REQUIRE_FALSE(merged(part(1, 1, 0, 1024), part(1, 2, 512, 2048)).whole(kPageBytes));
}

TEST_CASE("parts with a gap between them are not a whole page until one write covers everything") {
  REQUIRE_FALSE(merged(part(1, 1, 0, 512), part(1, 2, 1024, kPageBytes)).whole(kPageBytes));
  REQUIRE_FALSE(merged(part(1, 1, 1024, kPageBytes), part(1, 2, 0, 512)).whole(kPageBytes));
  CoalescingBuffer held(4);
  bool coalesced;
  held.merge(part(1, 1, 0, 512), coalesced);
  held.merge(part(1, 2, 1024, kPageBytes), coalesced);
  REQUIRE_FALSE(held.merge(part(1, 3, 512, 1024), coalesced).whole(kPageBytes));  // gaps are not tracked individually
  REQUIRE(held.merge(part(1, 4, 0, kPageBytes), coalesced).whole(kPageBytes));
}

TEST_CASE("the compressed size of a held page is the mean of its parts, weighted by length") {
  CoalescedPage older = part(1, 1, 0, 1024), newer = part(1, 2, 1024, kPageBytes);
  older.stored = 1000;
  newer.stored = 200;
  REQUIRE(merged(older, newer).stored == 400);
  newer.first_byte = 0;  // covers the older one
  REQUIRE(merged(older, newer).stored == 200);
}
