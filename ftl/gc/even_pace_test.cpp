// Even pace spreads collection over the host's writes without changing how much is moved.
#include "ftl/gc/even_pace.h"

#include <algorithm>

#include "ftl/layer/ftl.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("pages due for each page of the host are valid pages over stale ones") {
  EvenPace pace;
  pace.begin(60, 100, 64);  // 60 valid pages free 40: 1.5 pages for each page of the host
  std::uint32_t moved = 0;
  for (std::uint32_t host = 1; host <= 40; ++host) {
    for (pace.host_wrote_page(); pace.due(); pace.moved(1)) ++moved;
    CHECK(moved == (host * 3 + 1) / 2);
  }
  CHECK(moved == 60);
}

TEST_CASE("even pace moves at most the configured number of pages, and nothing of what was moved ahead twice") {
  EvenPace pace;
  pace.begin(99, 100, 8);
  pace.host_wrote_page();
  std::uint32_t moved = 0;
  for (; pace.due(); pace.moved(1)) ++moved;
  CHECK(moved == 8);
  pace.begin(50, 100, 8);  // one page for each page of the host
  pace.host_wrote_page();
  pace.moved(5);  // a stripe
  for (int host = 0; host < 4; ++host) {
    CHECK_FALSE(pace.due());
    pace.host_wrote_page();
  }
  CHECK_FALSE(pace.due());
  pace.host_wrote_page();
  CHECK(pace.due());
}

namespace {

struct Spread {
  std::uint64_t moved = 0, most = 0;     // pages moved in all, and with one page of the host
  std::uint32_t least_free = 99, most_free = 0;
};

Spread collect(bool even) {
  constexpr std::uint32_t kLogical = 1'000;
  DriveConfig config = theory_drive(80, 16, kLogical);
  config.ftl.buffer.coalescing_pages = 0;
  config.ftl.gc.start_free = 3;
  config.ftl.gc.stop_free = 8;
  config.ftl.gc.pages_per_host_write = 40;
  config.ftl.gc.even_pace = even;
  const Layout layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes());
  Medium medium(layout);
  WorkList work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false);
  Ftl ftl(config.ftl, kLogical, medium, work, 1);
  RandomStream random(2, "pages");
  Spread spread;
  for (int write = 0; write < 30'000; ++write) {
    const std::uint64_t before = ftl.store().counts().pages_appended;
    REQUIRE(ftl.write(Lpn{static_cast<std::uint32_t>(random.below(kLogical))}, 0, 4096));
    if (write < 10'000) continue;
    const std::uint64_t moved = ftl.store().counts().pages_appended - before - 1;
    spread.moved += moved;
    spread.most = std::max(spread.most, moved);
    spread.least_free = std::min(spread.least_free, ftl.store().blocks().free().count(0));
    spread.most_free = std::max(spread.most_free, ftl.store().blocks().free().count(0));
  }
  return spread;
}

}  // namespace

TEST_CASE("with even pace, free space stays and no page of the host pays for many moves; as much is moved") {
  const Spread full = collect(false), even = collect(true);
  CHECK(full.most >= 40);
  CHECK(full.most_free >= 7);
  CHECK(even.most <= 16);
  CHECK(even.most_free - even.least_free <= 2);
  CHECK(even.moved < full.moved * 103 / 100);  // fewer superblocks lie free, so a little less
}
