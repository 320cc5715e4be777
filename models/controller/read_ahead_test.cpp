#include "models/controller/read_ahead.h"

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Two streams, windows of 8 pages of 4 KiB.
constexpr ReadAheadConfig kTwo{2, 3, 2 * 8 * 4096};

std::uint64_t page(std::uint64_t number) { return number * 4096; }

// Reads one page and fetches the pages to be read ahead.
ReadAhead::Pages read_page(ReadAhead& ahead, std::uint32_t number) {
  const ReadAhead::Pages wanted = ahead.saw(page(number), page(number + 1));
  for (std::uint32_t p = wanted.first; p < wanted.end; ++p) ahead.fetched(p, p);
  return wanted;
}

bool nothing(const ReadAhead::Pages& pages) { return pages.first == pages.end; }

}  // namespace

TEST_CASE("read-ahead begins with the third sequential request, not with the second") {
  ReadAhead ahead(kTwo, 4096, 1000);
  CHECK(nothing(read_page(ahead, 10)));
  CHECK(nothing(read_page(ahead, 11)));
  const ReadAhead::Pages wanted = read_page(ahead, 12);
  CHECK(wanted.first == 13);
  CHECK(wanted.end == 13 + 8);
  REQUIRE(ahead.find(20) != nullptr);
  CHECK(*ahead.find(20) == 20);
  CHECK(ahead.find(21) == nullptr);
  CHECK(ahead.find(12) == nullptr);
}

TEST_CASE("a gap of one sector ends a sequence") {
  ReadAhead ahead(kTwo, 4096, 1000);
  CHECK(nothing(ahead.saw(page(10), page(11))));
  CHECK(nothing(ahead.saw(page(11), page(12))));
  CHECK(nothing(ahead.saw(page(12) + 512, page(13))));
  CHECK(nothing(ahead.saw(page(13), page(14))));
  CHECK_FALSE(nothing(ahead.saw(page(14), page(15))));
}

TEST_CASE("a read-ahead window is refilled when half of it is used, and ends with the drive") {
  ReadAhead ahead(kTwo, 4096, 26);
  for (std::uint32_t p = 10; p <= 12; ++p) read_page(ahead, p);  // 13 to 20 are in RAM
  for (std::uint32_t p = 13; p <= 15; ++p) CHECK(nothing(read_page(ahead, p)));
  const ReadAhead::Pages half = read_page(ahead, 16);  // 17 to 20 are left
  CHECK(half.first == 21);
  CHECK(half.end == 25);
  for (std::uint32_t p = 17; p <= 19; ++p) CHECK(nothing(read_page(ahead, p)));
  CHECK(read_page(ahead, 20).end == 26);
  for (std::uint32_t p = 21; p < 26; ++p) CHECK(nothing(read_page(ahead, p)));
}

TEST_CASE("small requests hit the page that they share") {
  ReadAhead ahead(kTwo, 4096, 1000);
  ReadAhead::Pages wanted;
  for (std::uint64_t s = 0; s < 3; ++s) wanted = ahead.saw(s * 512, (s + 1) * 512);
  CHECK(wanted.first == 0);
  CHECK(wanted.end == 8);
  for (std::uint32_t p = 0; p < 8; ++p) ahead.fetched(p, 1);
  for (std::uint64_t s = 3; s < 8; ++s) {
    REQUIRE(ahead.find(0) != nullptr);
    ahead.use(0);
    ahead.saw(s * 512, (s + 1) * 512);
  }
  CHECK(ahead.find(0) == nullptr);
  CHECK(ahead.find(1) != nullptr);
  CHECK(ahead.hits() == 5);
  CHECK(ahead.wasted() == 0);
}

TEST_CASE("a new stream replaces the least recently used one, whose unused pages count as wasted") {
  ReadAhead ahead(kTwo, 4096, 1000);
  for (std::uint32_t p = 0; p < 3; ++p) read_page(ahead, 100 + p);
  for (std::uint32_t p = 0; p < 3; ++p) read_page(ahead, 200 + p);
  ahead.use(103);
  CHECK(ahead.wasted() == 0);
  read_page(ahead, 300);
  CHECK(ahead.find(104) == nullptr);
  CHECK(ahead.find(203) != nullptr);
  CHECK(ahead.wasted() == 7);
  CHECK(ahead.pages() == 16);
}

TEST_CASE("written or trimmed pages are dropped from read-ahead, the others stay") {
  ReadAhead ahead(kTwo, 4096, 1000);
  for (std::uint32_t p = 0; p < 3; ++p) read_page(ahead, p);
  ahead.forget({5, 7});
  CHECK(ahead.find(4) != nullptr);
  CHECK(ahead.find(5) == nullptr);
  CHECK(ahead.find(6) == nullptr);
  CHECK(ahead.find(7) != nullptr);
  CHECK(ahead.wasted() == 2);
  ahead.forget_all();
  CHECK(ahead.find(7) == nullptr);
  CHECK(nothing(read_page(ahead, 3)));
}
