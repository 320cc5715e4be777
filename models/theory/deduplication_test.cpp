#include "models/theory/testing/deduplication.h"

#include <vector>

#include "models/theory/fifo_classes.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("without repeats every write has its own content, and FIFO is the known formula") {
  CHECK(working_set_contents(0, 0.1).live == 1);
  CHECK(repeated_contents(0).programmed == 1);
  CHECK(repeated_contents(1e-9).live == Approx(1));
  for (const double utilisation : {0.7, 0.85, 0.93})
    CHECK(fifo_wa_of_repeats(0, utilisation) == Approx(fifo_wa(one_class(), utilisation)).epsilon(1e-9));
}

TEST_CASE("the share of stored contents equals a plain count of pages and contents") {
  constexpr std::uint32_t kPages = 4000;
  for (const double repeats : {0.3, 0.6, 0.9}) {
    RandomStream random(1, "contents");
    std::vector<std::uint32_t> content_of(kPages), pages_of(1);
    pages_of[0] = kPages;
    double live = 1, sum = 0;
    const auto chance = static_cast<std::uint64_t>(repeats * 1000 + 0.5);
    for (int i = 0; i < 200 * static_cast<int>(kPages); ++i) {
      if (random.below(1000) >= chance) pages_of.push_back(0);
      const auto newest = static_cast<std::uint32_t>(pages_of.size() - 1);
      std::uint32_t& content = content_of[random.below(kPages)];
      live += pages_of[newest]++ == 0;
      live -= --pages_of[content] == 0;
      content = newest;
      if (i >= 20 * static_cast<int>(kPages)) sum += live;
    }
    CHECK(sum / (180.0 * kPages) / kPages == Approx(repeated_contents(repeats).live).epsilon(0.01));
  }
}

TEST_CASE("more repeats leave fewer contents and less to write, in both ways of repeating") {
  StoredContents before_set, before_repeat;
  double before_wa = fifo_wa_of_repeats(0, 0.9);
  for (const double repeats : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const StoredContents set = working_set_contents(repeats, 0.01), repeat = repeated_contents(repeats);
    CHECK(set.live < before_set.live);
    CHECK(repeat.live < before_repeat.live);
    CHECK(repeat.live > repeat.programmed);  // one page is enough to keep a content
    CHECK(fifo_wa_of_repeats(repeats, 0.9) < before_wa);
    before_set = set, before_repeat = repeat, before_wa = fifo_wa_of_repeats(repeats, 0.9);
  }
}
