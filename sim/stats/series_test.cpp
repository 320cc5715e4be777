#include "sim/stats/series.h"

#include "sim/config/refusal.h"
#include "sim/core/check.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

constexpr Nanoseconds kS{1'000'000'000};

Counters with_erases(std::uint64_t erases) {
  Counters counters;
  counters.block_erases = erases;
  return counters;
}

TEST_CASE("a_run_of_too_many_intervals_is_refused") {
  SeriesCollector series(Nanoseconds{0}, kS, 3);
  for (int i = 0; i < 3; ++i) series.close({});
  CHECK(refusal([&] { series.close({}); }) ==
        "series.csv: would have more than 3 rows (got 4000000000 ns of simulated time; allowed: longer intervals "
        "(log_avg_msec), or a shorter run)");
}

TEST_CASE("an_interval_gathers_amounts_and_latencies_by_direction") {
  SeriesCollector series(Nanoseconds{0}, kS);
  for (std::uint64_t i = 1; i <= 100; ++i) series.add(Nanoseconds{i}, Direction::read, 4096, Nanoseconds{i});
  series.add(kS, Direction::write, 512, Nanoseconds{1000});
  series.close(with_erases(3));
  REQUIRE(series.rows().size() == 1);
  const SeriesRow& row = series.rows()[0];
  CHECK(row.end == kS);
  CHECK(row.length == kS);
  CHECK(row.requests == PerDirection<std::uint64_t>{100, 1, 0});
  CHECK(row.bytes == PerDirection<std::uint64_t>{409600, 512, 0});
  CHECK(row.latency_mean_ns == PerDirection<std::uint64_t>{51, 1000, 0});  // 50.5 is rounded up
  CHECK(row.latency_p50_ns == PerDirection<std::uint64_t>{50, 1004, 0});
  CHECK(row.latency_p99_ns == PerDirection<std::uint64_t>{99, 1004, 0});
  CHECK(row.latency_p99_9_ns == PerDirection<std::uint64_t>{100, 1004, 0});
  CHECK(row.latency_max_ns == PerDirection<std::uint64_t>{100, 1000, 0});
  CHECK(row.device.block_erases == 3);
}

TEST_CASE("an_interval_is_due_after_its_boundary_and_not_on_it") {
  const SeriesCollector series(kS * 5, kS);
  CHECK(series.boundary() == kS * 6);
  CHECK_FALSE(series.due(kS * 6));
  CHECK(series.due(kS * 6 + Nanoseconds{1}));
}

TEST_CASE("several_empty_intervals_in_a_row_are_written_on_the_grid") {
  SeriesCollector series(Nanoseconds{0}, kS);
  series.add(Nanoseconds{5}, Direction::read, 1, Nanoseconds{5});
  const Nanoseconds now = kS * 3 + Nanoseconds{1};
  while (series.due(now)) series.close(with_erases(1));
  series.add(now, Direction::read, 2, Nanoseconds{7});
  series.close(with_erases(2));
  REQUIRE(series.rows().size() == 4);
  const std::vector<std::uint64_t> bytes = {1, 0, 0, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(series.rows()[i].end == kS * (i + 1));
    CHECK(series.rows()[i].bytes[0] == bytes[i]);
    CHECK(series.rows()[i].latency_max_ns[0] == (bytes[i] == 0 ? 0 : bytes[i] == 1 ? 5 : 7));
  }
}

TEST_CASE("the_last_interval_may_be_shorter_and_is_omitted_if_it_has_no_length") {
  SeriesCollector series(Nanoseconds{0}, kS);
  series.close({});
  series.finish(kS + Nanoseconds{400}, with_erases(9));
  REQUIRE(series.rows().size() == 2);
  CHECK(series.rows()[1].length == Nanoseconds{400});
  CHECK(series.rows()[1].device.block_erases == 9);

  SeriesCollector whole(Nanoseconds{0}, kS);
  whole.close({});
  whole.finish(kS, {});
  CHECK(whole.rows().size() == 1);
}

TEST_CASE("without_a_clock_an_interval_ends_with_the_write_that_fills_it") {
  SeriesCollector series = SeriesCollector::by_writes(100);
  for (int i = 0; i < 5; ++i) {
    series.add(Nanoseconds{0}, Direction::read, 1000, Nanoseconds{0});  // reads do not count
    series.add(Nanoseconds{0}, Direction::write, 60, Nanoseconds{0});
    CHECK_FALSE(series.due(Nanoseconds{0}));
    if (series.full()) series.close({});
  }
  series.finish(Nanoseconds{0}, {});
  REQUIRE(series.rows().size() == 3);
  CHECK(series.rows()[0].bytes[static_cast<std::size_t>(Direction::write)] == 120);
  CHECK(series.rows()[2].bytes[static_cast<std::size_t>(Direction::write)] == 60);
  CHECK(series.rows()[0].length == Nanoseconds{0});
}

TEST_CASE("a_series_refuses_completions_that_go_back_in_time_or_are_due") {
  CHECK_THROWS_AS(SeriesCollector(kS, Nanoseconds{0}), CheckFailed);
  SeriesCollector series(Nanoseconds{0}, kS);
  series.add(Nanoseconds{10}, Direction::read, 1, Nanoseconds{1});
  CHECK_NOTHROW(series.add(Nanoseconds{10}, Direction::read, 1, Nanoseconds{1}));
  CHECK_THROWS_AS(series.add(Nanoseconds{9}, Direction::read, 1, Nanoseconds{1}), CheckFailed);
  CHECK_THROWS_AS(series.add(kS + Nanoseconds{1}, Direction::read, 1, Nanoseconds{1}), CheckFailed);
  CHECK_THROWS_AS(series.finish(kS + Nanoseconds{1}, {}), CheckFailed);
}

}  // namespace
}  // namespace ftlab
