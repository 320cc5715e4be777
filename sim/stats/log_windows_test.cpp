#include "sim/stats/log_windows.h"

#include "sim/testing/test.h"

namespace ftlab {
namespace {

constexpr Nanoseconds kMs{1'000'000};
constexpr LogWindows::Wanted kAll{true, true, true};

std::vector<std::uint64_t> times(const std::vector<LogRow>& rows) {
  std::vector<std::uint64_t> list;
  for (const LogRow& row : rows) list.push_back(row.time_ms);
  return list;
}

std::vector<std::uint64_t> values(const std::vector<LogRow>& rows) {
  std::vector<std::uint64_t> list;
  for (const LogRow& row : rows) list.push_back(row.value);
  return list;
}

using List = std::vector<std::uint64_t>;

TEST_CASE("without_averaging_every_request_is_a_row") {
  LogWindows logs(Nanoseconds{0}, kAll);
  logs.add(kMs * 3 + Nanoseconds{999'999}, Direction::write, 4096, Nanoseconds{132'955}, 8192);
  logs.finish(kMs * 9);
  REQUIRE(logs.latency().size() == 1);
  const LogRow& row = logs.latency()[0];
  CHECK((row.time_ms == 3 && row.value == 132'955 && row.direction == Direction::write));
  CHECK((row.block_bytes == 4096 && row.offset_bytes == 8192));
  CHECK(values(logs.iops()) == List{1});
  CHECK(values(logs.bandwidth()) == List{30807});  // as written by fio 3.33 for this latency
}

TEST_CASE("a_request_that_took_no_time_has_bandwidth_zero") {
  LogWindows logs(Nanoseconds{0}, kAll);
  logs.add(kMs, Direction::read, 4096, Nanoseconds{0}, 0);
  CHECK(values(logs.bandwidth()) == List{0});
}

TEST_CASE("a_window_gives_one_row_at_its_end_for_each_direction_in_it") {
  LogWindows logs(kMs * 100, kAll);
  logs.add(kMs * 10, Direction::write, 4096, Nanoseconds{500}, 0);
  logs.add(kMs * 20, Direction::read, 1 << 20, Nanoseconds{100}, 0);
  logs.add(kMs * 30, Direction::read, 1 << 20, Nanoseconds{101}, 0);
  logs.finish(kMs * 100);
  REQUIRE(logs.latency().size() == 2);
  CHECK(logs.latency()[0].direction == Direction::read);
  CHECK(logs.latency()[1].direction == Direction::write);
  CHECK(times(logs.latency()) == List{100, 100});
  CHECK(values(logs.latency()) == List{101, 500});  // 100.5 is rounded up
  CHECK(values(logs.bandwidth()) == List{20480, 40});
  CHECK(values(logs.iops()) == List{20, 10});
  CHECK(logs.latency()[0].block_bytes == 0);
  CHECK(logs.latency()[0].offset_bytes == 0);
}

TEST_CASE("a_completion_on_the_boundary_belongs_to_the_window_that_ends_there") {
  LogWindows logs(kMs * 100, kAll);
  logs.add(kMs * 100, Direction::read, 4096, Nanoseconds{1}, 0);
  logs.add(kMs * 100 + Nanoseconds{1}, Direction::read, 4096, Nanoseconds{3}, 0);
  logs.finish(kMs * 200);
  CHECK(times(logs.latency()) == List{100, 200});
  CHECK(values(logs.latency()) == List{1, 3});
}

TEST_CASE("empty_windows_give_no_rows_and_do_not_shift_the_grid") {
  LogWindows logs(kMs * 100, kAll);
  logs.add(kMs * 50, Direction::read, 4096, Nanoseconds{1}, 0);
  logs.add(kMs * 1000, Direction::read, 4096, Nanoseconds{2}, 0);
  logs.add(kMs * 1001, Direction::read, 4096, Nanoseconds{3}, 0);
  logs.finish(kMs * 1100);
  CHECK(times(logs.iops()) == List{100, 1000, 1100});
  CHECK(times(logs.latency()) == List{100, 1000, 1100});
}

TEST_CASE("an_incomplete_last_window_gives_latency_but_no_rate") {
  LogWindows logs(kMs * 100, kAll);
  logs.add(kMs * 130, Direction::read, 4096, Nanoseconds{7}, 0);
  logs.finish(kMs * 199);
  CHECK(times(logs.latency()) == List{199});
  CHECK(logs.bandwidth().empty());
  CHECK(logs.iops().empty());
}

TEST_CASE("finishing_long_after_the_last_completion_closes_its_window_at_its_own_end") {
  LogWindows logs(kMs * 100, kAll);
  logs.add(kMs * 130, Direction::read, 4096, Nanoseconds{7}, 0);
  logs.finish(kMs * 999);
  CHECK(times(logs.latency()) == List{200});
  CHECK(times(logs.bandwidth()) == List{200});
}

TEST_CASE("logs_that_are_not_wanted_stay_empty") {
  for (const Nanoseconds interval : {Nanoseconds{0}, kMs}) {
    LogWindows logs(interval, {false, true, false});
    logs.add(kMs, Direction::read, 4096, Nanoseconds{7}, 0);
    logs.finish(kMs);
    CHECK(logs.latency().empty());
    CHECK(logs.bandwidth().empty());
    CHECK(logs.iops().size() == 1);
  }
}

}  // namespace
}  // namespace ftlab
