// Which operations are planned to fail.
#include "models/nand/array/planned_failures.h"

#include <vector>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::vector<std::uint64_t> hits(const PlannedFailures& plan) {
  std::vector<std::uint64_t> places;
  for (std::uint64_t place = 0; place < 12; ++place)
    if (plan.hit(place)) places.push_back(place);
  return places;
}

}  // namespace

TEST_CASE("operations in either planned range fail, ends included") {
  using Places = std::vector<std::uint64_t>;
  CHECK((hits({}) == Places{}));
  CHECK((hits({3, 5, 0, 0}) == Places{3, 4, 5}));
  CHECK((hits({4, 4, 0, 0}) == Places{4}));
  CHECK((hits({3, 4, 8, 9}) == Places{3, 4, 8, 9}));
  CHECK((hits({0, 0, 8, 9}) == Places{8, 9}));
  CHECK((hits({2, 6, 4, 8}) == Places{2, 3, 4, 5, 6, 7, 8}));
  CHECK_FALSE(PlannedFailures{}.any());
  CHECK(PlannedFailures{1, 1, 0, 0}.any());
  CHECK(PlannedFailures{0, 0, 1, 1}.any());
}
