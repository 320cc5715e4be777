#include "ftl/counting/random_order.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::vector<std::uint32_t> order_of(std::uint32_t count, std::uint64_t seed) {
  RandomStream random(seed, "order");
  RandomOrder order(count, random);
  std::vector<std::uint32_t> numbers;
  while (!order.ended())
    if (const std::uint32_t one = order.next(); one < count) numbers.push_back(one);
  return numbers;
}

// Chi-square of counts that should be equal, in standard deviations from its mean.
double surprise(const std::vector<std::uint64_t>& counts, double expected) {
  double square = 0;
  for (const std::uint64_t count : counts) square += std::pow(static_cast<double>(count) - expected, 2) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return (square - freedom) / std::sqrt(2 * freedom);
}

}  // namespace

TEST_CASE("a random order has every number once") {
  std::vector<std::uint32_t> counts = {1'000, 65'536, 65'537, 1'000'003};
  for (std::uint32_t count = 1; count < 70; ++count) counts.push_back(count);
  for (const std::uint32_t count : counts) {
    std::vector<std::uint32_t> numbers = order_of(count, count);
    REQUIRE(numbers.size() == count);
    std::ranges::sort(numbers);
    for (std::uint32_t i = 0; i < count; ++i) REQUIRE(numbers[i] == i);
  }
}

TEST_CASE("in a random order, a number says nothing of its place or of the next") {
  constexpr std::uint32_t kCount = 3'000, kCells = 12, kOrders = 300;
  std::vector<std::uint64_t> by_place(kCells * kCells), by_next(kCells * kCells);
  for (std::uint64_t seed = 1; seed <= kOrders; ++seed) {
    const std::vector<std::uint32_t> numbers = order_of(kCount, seed);
    const auto cell = [](std::uint32_t number) { return number * kCells / kCount; };
    for (std::uint32_t i = 0; i < kCount; ++i) ++by_place[cell(i) * kCells + cell(numbers[i])];
    for (std::uint32_t i = 0; i + 1 < kCount; i += 2) ++by_next[cell(numbers[i]) * kCells + cell(numbers[i + 1])];
  }
  CHECK(surprise(by_place, double{kOrders} * kCount / (kCells * kCells)) < 5);
  CHECK(surprise(by_next, double{kOrders} * kCount / 2 / (kCells * kCells)) < 5);
}
