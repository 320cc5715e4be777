#include "sim/stats/histogram.h"

#include <vector>

#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

using Catch::Matchers::WithinRel;  // the namespace of Approx depends on the version of Catch2

Histogram histogram_of(const std::vector<std::uint64_t>& latencies) {
  Histogram histogram;
  for (const std::uint64_t ns : latencies) histogram.add(Nanoseconds{ns});
  return histogram;
}

// First latency of every bin, found by counting instead of shifting: 128 bins of 1 ns, then 64 bins of 2 ns, 64 of 4 ns and
// so on.
std::vector<std::uint64_t> bin_starts() {
  std::vector<std::uint64_t> starts;
  std::uint64_t start = 0;
  std::uint64_t width = 1;
  while (starts.size() < Histogram::kBinCount) {
    if (starts.size() >= 128 && starts.size() % 64 == 0) width *= 2;
    starts.push_back(start);
    start += width;
  }
  return starts;
}

std::vector<std::uint64_t> random_latencies(std::size_t count, const char* name) {
  RandomStream random(7, name);
  std::vector<std::uint64_t> latencies;
  for (std::size_t i = 0; i < count; ++i) latencies.push_back(random.below(std::uint64_t{1} << (1 + random.below(34))));
  return latencies;
}

TEST_CASE("a_latency_falls_into_its_bin_on_both_sides_of_every_edge") {
  const std::vector<std::uint64_t> starts = bin_starts();
  for (std::size_t i = 1; i < starts.size(); ++i) {
    REQUIRE(Histogram::bin_of(starts[i]) == i);
    REQUIRE(Histogram::bin_of(starts[i] - 1) == i - 1);
  }
}

TEST_CASE("the_value_of_a_bin_is_its_middle") {
  const std::vector<std::uint64_t> starts = bin_starts();
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const std::uint64_t width = starts[i + 1] - starts[i];
    REQUIRE(Histogram::bin_value(i) == starts[i] + width / 2);
    REQUIRE(Histogram::bin_of(Histogram::bin_value(i)) == i);
  }
  CHECK(Histogram::bin_value(Histogram::kBinCount - 1) == 17112760320);  // the largest value that fio 3.33 shows
}

TEST_CASE("bins_have_the_values_that_fio_3_33_wrote") {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> seen = {{16858186, 16908288}, {216, 217},       {217, 217},
                                                                     {218, 219},           {252451, 252928}, {33253, 33024}};
  for (const auto& [latency, value] : seen) CHECK(Histogram::bin_value(Histogram::bin_of(latency)) == value);
}

TEST_CASE("latencies_beyond_the_last_bin_are_counted_in_it") {
  const std::uint64_t beyond = std::uint64_t{1} << 34;
  CHECK(Histogram::bin_of(beyond - 1) == Histogram::kBinCount - 1);
  CHECK(Histogram::bin_of(beyond) == Histogram::kBinCount - 1);
  CHECK(Histogram::bin_of(~std::uint64_t{0}) == Histogram::kBinCount - 1);
  CHECK(histogram_of({beyond * 10}).max_ns() == beyond * 10);
}

TEST_CASE("an_empty_histogram_is_zero_everywhere") {
  const Histogram empty;
  CHECK(empty.count() == 0);
  CHECK(empty.min_ns() == 0);
  CHECK(empty.max_ns() == 0);
  CHECK(empty.mean_ns() == 0);
  CHECK(empty.stddev_ns() == 0);
  CHECK(empty.percentile_ns(99) == 0);
}

TEST_CASE("mean_and_deviation_match_a_direct_computation") {
  const std::vector<std::uint64_t> latencies = random_latencies(10000, "moments");
  const Histogram histogram = histogram_of(latencies);
  long double sum = 0;
  for (const std::uint64_t ns : latencies) sum += static_cast<long double>(ns);
  const long double mean = sum / 10000;
  long double squares = 0;
  for (const std::uint64_t ns : latencies)
    squares += (static_cast<long double>(ns) - mean) * (static_cast<long double>(ns) - mean);
  CHECK_THAT(histogram.mean_ns(), WithinRel(static_cast<double>(mean), 1e-14));
  CHECK_THAT(histogram.stddev_ns(), WithinRel(static_cast<double>(std::sqrt(squares / 9999)), 1e-12));
  CHECK(histogram.total_ns() == static_cast<std::uint64_t>(sum));
}

TEST_CASE("the_deviation_of_a_narrow_distribution_far_from_zero_is_accurate") {
  const std::uint64_t base = 1'000'000'000'000'000;
  CHECK_THAT(histogram_of({base, base + 1, base + 2}).stddev_ns(), WithinRel(1.0, 1e-12));
  CHECK(histogram_of({base, base, base}).stddev_ns() == 0);
  CHECK(histogram_of({base}).stddev_ns() == 0);
  CHECK_THAT(histogram_of({base, base + 1}).stddev_ns(), WithinRel(std::sqrt(0.5), 1e-12));
}

TEST_CASE("a_percentile_is_the_bin_of_the_sample_of_that_rank") {
  Histogram histogram;
  for (std::uint64_t ns = 1; ns <= 100; ++ns) histogram.add(Nanoseconds{ns});
  CHECK(histogram.percentile_ns(1) == 1);
  CHECK(histogram.percentile_ns(50) == 50);
  CHECK(histogram.percentile_ns(50.5) == 51);
  CHECK(histogram.percentile_ns(99) == 99);
  CHECK(histogram.percentile_ns(100) == 100);
  CHECK(histogram.percentile_ns(0.0001) == 1);
  CHECK(histogram.percentile_ns(1e-300) == 1);
  CHECK(histogram_of({1, 2}).percentile_ns(50) == 1);
  CHECK(histogram_of({1, 2}).percentile_ns(std::nextafter(50.0, 100.0)) == 2);
}

TEST_CASE("percentiles_match_a_sorted_list") {
  std::vector<std::uint64_t> latencies = random_latencies(4096, "percentiles");
  const Histogram histogram = histogram_of(latencies);
  std::sort(latencies.begin(), latencies.end());
  for (const double percent : {0.0244140625, 1.0, 12.5, 25.0, 50.0, 75.0, 99.0, 99.9, 99.99, 100.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(percent * 4096 / 100));
    const std::uint64_t exact = latencies[rank - 1];
    CHECK(histogram.percentile_ns(percent) == Histogram::bin_value(Histogram::bin_of(exact)));
    CHECK_THAT(static_cast<double>(histogram.percentile_ns(percent)), WithinRel(static_cast<double>(exact), 1.0 / 128));
  }
}

TEST_CASE("a_percentile_outside_its_range_fails_a_check") {
  CHECK_THROWS_AS(histogram_of({1}).percentile_ns(0), CheckFailed);
  CHECK_THROWS_AS(histogram_of({1}).percentile_ns(100.5), CheckFailed);
}

TEST_CASE("merged_histograms_are_the_histogram_of_all_samples_in_any_order") {
  const std::vector<std::uint64_t> a = random_latencies(1000, "a");
  const std::vector<std::uint64_t> b = random_latencies(777, "b");
  std::vector<std::uint64_t> all = a;
  all.insert(all.end(), b.begin(), b.end());
  Histogram ab = histogram_of(a);
  ab.merge(histogram_of(b));
  ab.merge(Histogram{});
  Histogram ba = histogram_of(b);
  ba.merge(histogram_of(a));
  for (const Histogram& whole : {ab, ba}) {
    const Histogram direct = histogram_of(all);
    CHECK(whole.count() == direct.count());
    CHECK(whole.min_ns() == direct.min_ns());
    CHECK(whole.max_ns() == direct.max_ns());
    CHECK(whole.mean_ns() == direct.mean_ns());
    CHECK(whole.stddev_ns() == direct.stddev_ns());
    CHECK(whole.percentile_ns(99) == direct.percentile_ns(99));
  }
}

}  // namespace
}  // namespace ftlab
