// Cost of finding pages in an extent map; a saved state includes the position of the last one.
#include "ftl/drive/path/map_search.h"

#include "sim/core/archive.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr Nanoseconds kPage{100}, kStep{10};
constexpr std::uint64_t kExtents = 1000;  // ten steps
constexpr Nanoseconds kFar = kPage + 10 * kStep;

}  // namespace

TEST_CASE("a search costs its steps except for the last page found and for the next page of its extent") {
  MapSearch search(kPage, kStep);
  CHECK(search.cost(Lpn{7}, Ppn{50}, kExtents) == kFar);
  CHECK(search.cost(Lpn{7}, Ppn{50}, kExtents) == kPage);
  CHECK(search.cost(Lpn{8}, Ppn{51}, kExtents) == kPage);
  CHECK(search.cost(Lpn{9}, Ppn{60}, kExtents) == kFar);   // another extent
  CHECK(search.cost(Lpn{10}, kNoPpn, kExtents) == kFar);   // first page of a hole
  CHECK(search.cost(Lpn{11}, kNoPpn, kExtents) == kPage);  // second page of the hole
  CHECK(search.cost(Lpn{12}, Ppn{0}, kExtents) == kFar);   // first page after the hole
  CHECK(search.cost(Lpn{11}, Ppn{0}, kExtents) == kFar);   // previous page
  CHECK(search.cost(Lpn{11}, Ppn{1}, kExtents) == kFar);   // the page has moved
}

TEST_CASE("a loaded search continues from the page that was found last") {
  for (const Ppn ppn : {Ppn{50}, kNoPpn}) {
    MapSearch saved(kPage, kStep), loaded(kPage, kStep);
    saved.cost(Lpn{7}, ppn, kExtents);
    Archive file = Archive::saving();
    saved.archive(file);
    Archive copy = Archive::loading(file.finish());
    loaded.archive(copy);
    copy.end();
    CHECK(loaded.cost(Lpn{8}, ppn == kNoPpn ? kNoPpn : Ppn{51}, kExtents) == kPage);
  }
}
