// Translation pages in host memory, compared with a plain first-in, first-out list.
#include "ftl/mapping/host_map_cache.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/archive.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::string saved(HostMapCache& cache) {
  Archive out = Archive::saving();
  cache.archive(out);
  return out.finish();
}

}  // namespace

TEST_CASE("host memory holds the pages that were put last, each once") {
  constexpr std::uint32_t kPages = 20;
  for (const std::uint64_t capacity : {1u, 2u, 7u, 20u, 50u}) {
    CAPTURE(capacity);
    HostMapCache cache(capacity, kPages);
    std::vector<std::uint32_t> list;  // in order of arrival
    RandomStream random(3, "host memory");
    std::uint64_t fetched = 0, sent = 0, fetched_since = 0;
    REQUIRE(cache.there());
    for (int step = 0; step < 5'000; ++step) {
      const auto page = static_cast<std::uint32_t>(random.below(kPages));
      const auto found = std::find(list.begin(), list.end(), page);
      if (random.chance(1, 2)) {
        cache.put(page);
        ++sent;
        if (found != list.end()) list.erase(found);
        list.push_back(page);
        if (list.size() > capacity) list.erase(list.begin());
      } else {
        const bool keep = random.chance(1, 2);
        REQUIRE(cache.fetch(page, keep) == (found != list.end()));
        fetched += found != list.end();
        fetched_since += found != list.end();
        if (found != list.end() && !keep) list.erase(found);
      }
      REQUIRE(cache.pages() == list.size());
      REQUIRE(cache.fetched() == fetched);
      if (step % 97 != 0) continue;
      const HostMapCache::Traffic traffic = cache.take_traffic();
      REQUIRE((traffic.sent == sent && traffic.fetched == fetched_since));
      sent = fetched_since = 0;
      HostMapCache other(capacity, kPages);
      const std::string state = saved(cache);
      Archive in = Archive::loading(state);
      other.archive(in);
      REQUIRE((saved(other) == state));
    }
  }
}

TEST_CASE("a page that is put again and again takes one place") {
  HostMapCache cache(2, 20), other(2, 20);
  cache.put(0);
  for (int again = 0; again < 1'000; ++again) cache.put(1);
  CHECK(cache.pages() == 2);
  const std::string state = saved(cache);
  Archive in = Archive::loading(state);
  other.archive(in);  // would refuse a longer list
  CHECK((other.fetch(0, true) && other.fetch(1, true)));
}

TEST_CASE("without host memory nothing is sent or fetched") {
  HostMapCache none(0, 20);
  CHECK_FALSE(none.there());
  none.put(3);
  CHECK_FALSE(none.fetch(3, true));
  CHECK((none.pages() == 0 && none.fetched() == 0 && none.take_traffic().sent == 0));
}
