#include "ftl/mapping/fingerprints.h"

#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a table of fingerprints forgets the content that was stored first") {
  Fingerprints table(4, 2);
  table.enter(Lpn{0}, {10, 0});
  table.enter(Lpn{1}, {11, 0});
  table.enter(Lpn{2}, {12, 0});
  CHECK(table.find({10, 0}) == kNoLpn);
  CHECK(table.find({11, 0}) == Lpn{1});
  CHECK(table.forgotten() == 1);
  CHECK(table.consistent());
}
