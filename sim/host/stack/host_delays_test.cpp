// Correlated delays: the classes keep their shares, and neighbours are alike.
#include "sim/host/stack/host_delays.h"

#include <cmath>
#include <vector>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

const std::vector<HostDelay> kClasses = {{600'000, Nanoseconds{100'000}, Nanoseconds{300'000}},
                                         {90'000, Nanoseconds{300'000}, Nanoseconds{900'000}},
                                         {10'000, Nanoseconds{5'000'000}, Nanoseconds{9'000'000}}};
constexpr std::uint64_t kApart = 500'000, kDraws = 400'000;

std::vector<double> drawn(const DelayCorrelation& together, std::uint64_t seed = 3) {
  HostDelays delays(kClasses, together, seed);
  std::vector<double> all;
  for (std::uint64_t i = 0; i < kDraws; ++i)
    all.push_back(static_cast<double>(delays.draw(Nanoseconds{i * kApart}).count()));
  return all;
}

double share(const std::vector<double>& all, double from, double to) {
  double count = 0;
  for (const double delay : all) count += delay >= from && delay <= to;
  return count / static_cast<double>(all.size());
}

// Variance of the means of groups of `neighbours` successive delays.
double variance_of_means(const std::vector<double>& all, std::size_t neighbours) {
  double sum = 0, squares = 0;
  const std::size_t groups = all.size() / neighbours;
  for (std::size_t g = 0; g < groups; ++g) {
    double mean = 0;
    for (std::size_t i = 0; i < neighbours; ++i) mean += all[g * neighbours + i] / static_cast<double>(neighbours);
    sum += mean;
    squares += mean * mean;
  }
  const double mean = sum / static_cast<double>(groups);
  return squares / static_cast<double>(groups) - mean * mean;
}

}  // namespace

TEST_CASE("classes have the given frequencies, independent or correlated") {
  for (const DelayCorrelation& together : {DelayCorrelation{}, DelayCorrelation{300, Nanoseconds{50'000'000}}}) {
    const std::vector<double> all = drawn(together);
    CHECK(share(all, 0, 0) == Approx(0.3).margin(0.01));
    CHECK(share(all, 1, 299'999) == Approx(0.6).margin(0.01));
    CHECK(share(all, 100'000, 199'999) == Approx(0.3).margin(0.01));
    CHECK(share(all, 300'000, 900'000) == Approx(0.09).margin(0.005));
    CHECK(share(all, 5'000'000, 9'000'000) == Approx(0.01).margin(0.0015));
  }
}

TEST_CASE("neighbouring completions are delayed together as long as the host's state lasts") {
  const std::vector<double> alone = drawn({}), brief = drawn({100, Nanoseconds{2 * kApart}}),
                            lasting = drawn({100, Nanoseconds{1000 * kApart}});
  CHECK(variance_of_means(lasting, 1000) > 5 * variance_of_means(alone, 1000));
  CHECK(variance_of_means(lasting, 1000) > 3 * variance_of_means(brief, 1000));
  CHECK(variance_of_means(lasting, 1) == Approx(variance_of_means(alone, 1)).epsilon(0.1));
  CHECK(drawn({100, Nanoseconds{1000}}, 3) != drawn({100, Nanoseconds{1000}}, 4));
}

TEST_CASE("a completion earlier than the last one uses the present state of the host") {
  HostDelays delays(kClasses, {990, Nanoseconds{1'000'000'000'000}}, 5);
  const std::uint64_t first = delays.draw(Nanoseconds{1'000'000}).count();
  const std::uint64_t earlier = delays.draw(Nanoseconds{900'000}).count();
  CHECK(std::abs(static_cast<double>(first) - static_cast<double>(earlier)) < 300'000);
}
