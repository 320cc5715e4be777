#include "sim/stats/final_window.h"

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kMb = 1'000'000;

// One interval of a second per write amplification; the host writes `host_mb` in each.
RunStats run_with(const std::vector<double>& amplifications, std::uint64_t host_mb) {
  RunStats stats;
  Counters device;
  for (const double wa : amplifications) {
    device.host_write_bytes += host_mb * kMb;
    device.media_host_bytes += host_mb * kMb;
    device.media_relocation_bytes += static_cast<std::uint64_t>((wa - 1) * static_cast<double>(host_mb * kMb));
    SeriesRow row;
    row.length = Nanoseconds{1'000'000'000};
    row.end = stats.ended + row.length;
    row.bytes[static_cast<std::size_t>(Direction::write)] = host_mb * kMb;
    row.requests[static_cast<std::size_t>(Direction::write)] = host_mb;
    row.device = device;
    stats.series.push_back(row);
    stats.ended = row.end;
  }
  stats.device_after = device;
  return stats;
}

}  // namespace

TEST_CASE("the final write amplification is that of the last tenth of the writes") {
  std::vector<double> rising(40, 1.0);
  rising.insert(rising.end(), 20, 6.0);
  const auto window = final_window(run_with(rising, 100), {10'000 * kMb, 4096});
  REQUIRE(window);
  CHECK(window->wa == Approx(6.0));
  CHECK(window->host_bytes() == 600 * kMb);  // a tenth of 6 GB
  CHECK(window->from == Nanoseconds{54'000'000'000});
  CHECK(window->half_width == 0.0);
}

TEST_CASE("a run that did not write the drive twice over is not called steady") {
  const auto window = final_window(run_with(std::vector<double>(60, 3.0), 100), {10'000 * kMb, 4096});
  REQUIRE(window);
  CHECK_FALSE(window->steady);
  CHECK(window->why_not_steady == "the drive was not written twice over before");
}

TEST_CASE("a run with constant write amplification over six drive writes is steady") {
  const auto window = final_window(run_with(std::vector<double>(60, 3.0), 100), {1'000 * kMb, 4096});
  REQUIRE(window);
  CHECK(window->steady);
  CHECK(window->why_not_steady.empty());
}

TEST_CASE("a partial interval at the end of a run is not used as a batch") {
  RunStats stats = run_with({2, 2, 2, 2, 2, 9}, 100);
  stats.series.back().length = Nanoseconds{1'000'000};
  const auto window = final_window(stats, {1'000 * kMb, 4096});
  REQUIRE(window);
  CHECK_FALSE(window->half_width);  // the window is the partial interval alone, which holds a sixth of the writes
  CHECK(window->wa == Approx(9.0));
}

TEST_CASE("a run without writes has no final write amplification") {
  CHECK_FALSE(final_window(run_with({1, 1}, 0), {kMb, 4096}).has_value());
  CHECK_FALSE(final_window(RunStats{}, {kMb, 4096}).has_value());
}
