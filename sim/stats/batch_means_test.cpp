#include "sim/stats/batch_means.h"

#include <cmath>
#include <limits>

#include "sim/core/check.h"
#include "sim/core/exact_math.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

// The sum of twelve uniforms has variance 1 and is close enough to normal for 95 % intervals.
double normal(RandomStream& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.bits() >> 11) * 0x1p-53;
  return sum;
}

// Batches with mean 10, variance 1 and correlation `coefficient` between neighbours, stationary from the first one.
BatchMeans autoregressive(RandomStream& random, std::size_t count, double coefficient) {
  BatchMeans batches;
  double deviation = normal(random);
  for (std::size_t i = 0; i < count; ++i) {
    batches.add(10 + deviation);
    deviation = coefficient * deviation + std::sqrt(1 - coefficient * coefficient) * normal(random);
  }
  return batches;
}

constexpr int kSeries = 4000;  // a coverage of 95 % is measured with a standard deviation of 0.35 %

template <class Holds>
double share(std::size_t count, double coefficient, Holds holds) {
  RandomStream random(1, "batches");
  int held = 0;
  for (int i = 0; i < kSeries; ++i) held += holds(autoregressive(random, count, coefficient)) ? 1 : 0;
  return held / static_cast<double>(kSeries);
}

double coverage(std::size_t count, double coefficient) {
  return share(count, coefficient,
               [](const BatchMeans& batches) { return std::abs(batches.mean() - 10) <= batches.half_width(); });
}

double drift_share(std::size_t count, double coefficient) {
  return share(count, coefficient, [](const BatchMeans& batches) { return batches.drifting(); });
}

BatchMeans made_of(std::initializer_list<double> values) {
  BatchMeans batches;
  for (const double value : values) batches.add(value);
  return batches;
}

// Probability that |t| stays below `t`, by the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4.
double student_probability(double t, std::size_t freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double cosine = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1, sum = 0;
  for (std::size_t i = odd ? 1 : 0; i + 2 <= freedom; i += 2) {
    sum += term;
    term *= cosine * cosine * static_cast<double>(i + 1) / static_cast<double>(i + 2);
  }
  const double pi = 3.141592653589793;
  return odd ? 2 / pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

TEST_CASE("students_quantiles_have_their_probabilities") {
  for (std::size_t freedom = 1; freedom <= 200; ++freedom) {
    INFO(freedom << " degrees of freedom");
    REQUIRE(std::abs(student_probability(student_95(freedom), freedom) - 0.95) < 3e-6);
    REQUIRE(std::abs(student_probability(student_99(freedom), freedom) - 0.99) < 3e-6);
  }
  CHECK(student_95(1'000'000'000) == Approx(1.959964));
  CHECK(student_99(1'000'000'000) == Approx(2.575829));
  CHECK_THROWS_AS(student_95(0), CheckFailed);
}

TEST_CASE("the_interval_of_few_batches_is_the_textbooks") {
  const BatchMeans batches = made_of({1, 3, 2, 4});  // variance 5/3, t with 3 degrees of freedom 3.182
  CHECK(batches.count() == 4);
  CHECK(batches.mean() == 2.5);
  CHECK(batches.half_width() == Approx(3.182446 * std::sqrt(5.0 / 3 / 4)));
  CHECK(batches.autocorrelation() == Approx(1 - 9.0 / 10));
}

TEST_CASE("the_interval_of_fewer_than_two_batches_is_infinite") {
  CHECK(BatchMeans().mean() == 0);
  CHECK(BatchMeans().half_width() == std::numeric_limits<double>::infinity());
  CHECK(made_of({5}).mean() == 5);
  CHECK(made_of({5}).half_width() == std::numeric_limits<double>::infinity());
  CHECK(made_of({5, 7}).half_width() == Approx(12.706205));
  CHECK_FALSE(made_of({5, 7, 9}).drifting());
  CHECK_THROWS_AS(made_of({std::nan("")}), CheckFailed);
}

TEST_CASE("equal_batches_have_an_interval_of_zero_and_no_drift") {
  BatchMeans batches;
  for (int i = 0; i < 100; ++i) batches.add(3);
  CHECK(batches.half_width() == 0);
  CHECK(batches.autocorrelation() == 0);
  CHECK_FALSE(batches.correlated());
  CHECK_FALSE(batches.drifting());
}

TEST_CASE("the_interval_of_independent_batches_covers_the_mean_in_95_of_100_runs") {
  for (const std::size_t count : {5, 10, 20, 33, 100, 400}) {
    const double covered = coverage(count, 0);
    INFO(count << " batches: " << covered);
    CHECK(covered > 0.93);
    CHECK(covered < 0.97);
  }
}

TEST_CASE("the_interval_of_correlated_batches_covers_the_mean_in_90_of_100_runs") {
  for (const std::size_t count : {100, 200, 400, 1000}) {
    const double covered = coverage(count, 0.5);
    INFO(count << " batches: " << covered);
    CHECK(covered > 0.90);
    CHECK(covered < 0.97);
  }
}

TEST_CASE("correlated_batches_are_merged_while_at_least_ten_are_left") {
  RandomStream random(1, "merge");
  const BatchMeans some = autoregressive(random, 1000, 0.5);
  CHECK(some.autocorrelation() == Approx(0.5).margin(0.1));
  CHECK(some.independent_count() <= 250);
  CHECK(some.independent_count() >= 10);
  const BatchMeans walk = autoregressive(random, 100, 0.999);
  CHECK(walk.independent_count() == 12);
  CHECK(walk.correlated());
  CHECK(autoregressive(random, 19, 0.9).independent_count() == 19);
}

TEST_CASE("alternating_batches_are_not_merged") {
  BatchMeans batches;
  for (int i = 0; i < 100; ++i) batches.add(i % 2);
  CHECK(batches.autocorrelation() == Approx(-0.98));
  CHECK(batches.independent_count() == 100);
}

TEST_CASE("a_decaying_exponential_drifts") {
  for (const int count : {8, 20, 50, 100, 1000}) {
    for (const double constants : {2.0, 5.0, 20.0}) {  // time constants of the decay within the run
      BatchMeans batches;
      for (int i = 0; i < count; ++i) batches.add(1 + exact_exp(-constants * i / count));
      INFO(count << " batches, " << constants << " constants");
      CHECK(batches.drifting());
    }
  }
}

TEST_CASE("a_decay_in_noise_is_usually_found_to_drift") {
  RandomStream random(1, "decay");
  int found = 0;
  for (int series = 0; series < 200; ++series) {
    BatchMeans batches;
    for (int i = 0; i < 100; ++i) batches.add(10 + 5 * exact_exp(-i / 20.0) + 0.5 * normal(random));
    found += batches.drifting() ? 1 : 0;
  }
  CHECK(found > 190);
}

TEST_CASE("stationary_batches_rarely_drift") {
  for (const std::size_t count : {10, 20, 50, 200}) {
    INFO(count << " batches");
    CHECK(drift_share(count, 0) < 0.02);
  }
  for (const std::size_t count : {200, 1000}) {
    INFO(count << " correlated batches");
    CHECK(drift_share(count, 0.5) < 0.05);
  }
}

}  // namespace
}  // namespace ftlab
