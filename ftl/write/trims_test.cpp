// Pending trims: which pages are pending, in which order they are taken, and how a write cancels them.
#include "ftl/write/trims.h"

#include "ftl/write/trim_records.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("trims are taken page by page in order of arrival") {
  Trims trims(200);
  REQUIRE(trims.empty());
  trims.add(Lpn{130}, 2);
  trims.add(Lpn{5}, 1);
  REQUIRE_FALSE(trims.empty());
  REQUIRE(trims.take() == Lpn{130});
  REQUIRE(trims.take() == Lpn{131});
  REQUIRE(trims.take() == Lpn{5});
  REQUIRE(trims.take() == kNoLpn);
  REQUIRE(trims.empty());
}

TEST_CASE("a page is pending from its trim until it is taken, and no other page is") {
  Trims trims(200);
  trims.add(Lpn{63}, 2);
  for (const std::uint32_t lpn : {0u, 62u, 65u, 127u, 199u}) REQUIRE_FALSE(trims.pending(Lpn{lpn}));
  REQUIRE(trims.pending(Lpn{63}));
  REQUIRE(trims.pending(Lpn{64}));
  trims.take();
  REQUIRE_FALSE(trims.pending(Lpn{63}));
  REQUIRE(trims.pending(Lpn{64}));
}

TEST_CASE("a cancelled trim is not carried out, but a later trim of the page is") {
  Trims trims(100);
  trims.add(Lpn{10}, 3);
  trims.cancel(Lpn{11});
  REQUIRE_FALSE(trims.pending(Lpn{11}));
  REQUIRE(trims.take() == Lpn{10});
  REQUIRE(trims.take() == Lpn{12});
  trims.add(Lpn{11}, 1);
  REQUIRE(trims.take() == Lpn{11});
  REQUIRE(trims.take() == kNoLpn);
}

TEST_CASE("a page that was trimmed twice is taken once") {
  Trims trims(100);
  trims.add(Lpn{10}, 1);
  trims.add(Lpn{10}, 2);
  REQUIRE(trims.take() == Lpn{10});
  REQUIRE(trims.take() == Lpn{11});
  REQUIRE(trims.take() == kNoLpn);
}

TEST_CASE("no page is pending on a drive that does not defer trims") {
  Trims trims(0);
  trims.cancel(Lpn{3});
  REQUIRE_FALSE(trims.pending(Lpn{3}));
  REQUIRE(trims.empty());
}

TEST_CASE("a trim table is full at its maximum number of unfinished ranges") {
  Trims trims(100, 2);
  trims.add(Lpn{10}, 2);
  REQUIRE_FALSE(trims.full());
  trims.add(Lpn{20}, 1);
  REQUIRE(trims.full());
  trims.take();
  REQUIRE(trims.full());  // half of the first range is left
  trims.take();
  REQUIRE(trims.take() == Lpn{20});
  REQUIRE_FALSE(trims.full());
}

TEST_CASE("trim records are written when they fill a slot, and the remainder stays for the next slot") {
  for (const std::uint32_t record : {1u, 16u, 100u, 511u, 512u}) {
    CAPTURE(record);
    TrimRecords records(record, 512);
    std::uint64_t written = 0;
    for (std::uint64_t trims = 1; trims <= 2'000; ++trims) {
      written += records.add();
      REQUIRE(written == trims * record / 512);
    }
  }
  TrimRecords none(0, 512);
  for (int trims = 0; trims < 1'000; ++trims) REQUIRE(none.add() == 0);
}
