#include "ftl/counting/hypergeometric.h"

#include <cmath>
#include <map>
#include <vector>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Chi-square of many draws against the law, in standard deviations from its mean. Rare numbers are taken together.
double surprise(std::uint32_t all, std::uint32_t marked, std::uint32_t taken, std::uint64_t draws) {
  RandomStream random(7, "hypergeometric");
  std::map<std::uint32_t, std::uint64_t> seen;
  for (std::uint64_t i = 0; i < draws; ++i) ++seen[draw_hypergeometric(all, marked, taken, random)];
  const auto choose = [](double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); };
  double square = 0, expected = 0, cells = 0;
  std::uint64_t found = 0;
  const std::uint32_t least = marked + taken > all ? marked + taken - all : 0, most = std::min(marked, taken);
  for (std::uint32_t k = least; k <= most; ++k) {
    expected += static_cast<double>(draws) *
                std::exp(choose(marked, k) + choose(all - marked, taken - k) - choose(all, taken));
    found += seen[k];
    if (expected < 20 && k < most) continue;
    if (expected > 0) square += (static_cast<double>(found) - expected) * (static_cast<double>(found) - expected) / expected;
    cells += expected > 0;
    expected = 0;
    found = 0;
  }
  const double freedom = std::max(cells - 1, 1.0);
  return (square - freedom) / std::sqrt(2 * freedom);
}

}  // namespace

TEST_CASE("a hypergeometric draw follows its law") {
  struct Case {
    std::uint32_t all, marked, taken;
  };
  const Case cases[] = {{50, 20, 10},     {200, 100, 80},    {1'000, 400, 60},    {1'000, 960, 500},
                        {300, 40, 260},   {5'000, 2'500, 2'500}, {65'536, 6'000, 8'000}, {65'536, 33, 33},
                        {65'536, 65'000, 60'000}};
  for (const Case& one : cases) {
    CAPTURE(one.all, one.marked, one.taken);
    CHECK(std::abs(surprise(one.all, one.marked, one.taken, 40'000)) < 4.5);
  }
}

TEST_CASE("a hypergeometric draw is within its limits") {
  RandomStream random(3, "limits");
  for (int i = 0; i < 20'000; ++i) {
    const auto all = static_cast<std::uint32_t>(1 + random.below(i % 2 == 0 ? 100 : 100'000));
    const auto marked = static_cast<std::uint32_t>(random.below(all + 1)), taken = static_cast<std::uint32_t>(random.below(all + 1));
    const std::uint32_t drawn = draw_hypergeometric(all, marked, taken, random);
    REQUIRE(drawn <= std::min(marked, taken));
    REQUIRE(marked - drawn <= all - taken);
  }
}
