#include "validation/calibrate/observation.h"

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

Point point(std::uint64_t depth, std::uint64_t jobs, double iops) {
  Point made;
  made.workload = {"randread", 0, 4096, "", depth, jobs};
  made.iops = iops;
  return made;
}

}  // namespace

TEST_CASE("a point is saturated if no deeper queue of its workload gives 3 % more") {
  CHECK(saturated({point(1, 1, 100), point(2, 1, 197), point(4, 1, 204), point(8, 1, 202)}) ==
        std::vector<bool>{false, false, true, true});
  CHECK(saturated({point(1, 1, 100), point(2, 1, 200), point(4, 1, 205)}) == std::vector<bool>{false, true, true});
}

TEST_CASE("the deepest point of a rising series and a single point are not saturated") {
  CHECK(saturated({point(1, 1, 100), point(2, 1, 190)}) == std::vector<bool>{false, false});
  CHECK(saturated({point(32, 1, 100)}) == std::vector<bool>{false});
}

TEST_CASE("more jobs count like a deeper queue, and a deeper queue with fewer jobs does not") {
  CHECK(saturated({point(1, 16, 200), point(1, 64, 201)}) == std::vector<bool>{true, true});
  CHECK(saturated({point(4, 1, 100), point(1, 64, 101)}) == std::vector<bool>{false, false});
}

TEST_CASE("a queue hardly deeper proves no plateau, and other workloads and files are not compared") {
  CHECK(saturated({point(32, 1, 100), point(33, 1, 101)}) == std::vector<bool>{false, false});
  Point other = point(64, 1, 100);
  other.workload.block_bytes = 8192;
  Point elsewhere = point(64, 1, 100);
  elsewhere.file = "other.json";
  CHECK(saturated({point(32, 1, 100), other, elsewhere}) == std::vector<bool>{false, false, false});
}
