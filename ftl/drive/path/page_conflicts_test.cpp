#include "ftl/drive/path/page_conflicts.h"

#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a read waits for earlier changes of its pages, a change also for earlier reads") {
  PageConflicts conflicts;
  conflicts.add({1, 10, 20}, true);
  conflicts.add({2, 30, 40}, false);
  CHECK(conflicts.blocks({3, 19, 21}, false));
  CHECK_FALSE(conflicts.blocks({3, 20, 21}, false));  // the end is exclusive
  CHECK_FALSE(conflicts.blocks({3, 5, 10}, false));
  CHECK_FALSE(conflicts.blocks({3, 30, 31}, false));  // two reads pass each other
  CHECK(conflicts.blocks({3, 30, 31}, true));
  CHECK(conflicts.read_blocks({3, 39, 40}));
  CHECK_FALSE(conflicts.read_blocks({3, 10, 20}));
}

TEST_CASE("later commands and those that have taken effect do not block") {
  PageConflicts conflicts;
  conflicts.add({4, 0, 8}, true);
  conflicts.add({6, 0, 8}, false);
  CHECK_FALSE(conflicts.blocks({4, 0, 8}, true));  // itself
  CHECK_FALSE(conflicts.blocks({3, 0, 8}, false));
  CHECK_FALSE(conflicts.read_blocks({5, 0, 8}));
  CHECK(conflicts.blocks({5, 0, 8}, false));
  conflicts.remove(4, true);
  CHECK_FALSE(conflicts.blocks({5, 0, 8}, false));
  CHECK(conflicts.read_blocks({7, 0, 1}));
  conflicts.remove(6, false);
  CHECK_FALSE(conflicts.read_blocks({7, 0, 1}));
}
