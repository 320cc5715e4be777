#include <algorithm>
#include <sstream>

#include "sim/stats/fio/fio_report.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) list.push_back(line);
  return list;
}

// A second with writes, and half a second without requests.
RunStats two_seconds() {
  RunStats run;
  run.device_before.host_write_bytes = 1000;
  run.device_before.media_host_bytes = 9000;
  run.device_before.block_erases = 100;
  SeriesRow busy;
  busy.end = busy.length = Nanoseconds{1'000'000'000};
  busy.bytes[1] = 4'096'000;
  busy.requests[1] = 1000;
  busy.latency_mean_ns[1] = 12'345;
  busy.latency_p50_ns[1] = 10'000;
  busy.latency_p99_ns[1] = 20'000;
  busy.latency_p99_9_ns[1] = 500'000;
  busy.latency_max_ns[1] = 1'000'001;
  busy.device = run.device_before;
  busy.device.host_write_bytes += 3000;
  busy.device.media_host_bytes += 3000;
  busy.device.media_relocation_bytes += 1000;
  busy.device.relocated_pages = 7;
  busy.device.block_erases = 104;
  busy.device.free_superblocks = 12;
  busy.device.mapped_bytes = 40960;
  busy.device.extents = 3;
  busy.device.mapping_hits = 3;
  busy.device.mapping_misses = 1;
  run.device_before.energy_pj = 5'000'000'000'000;
  busy.device.energy_pj = 6'234'567'000'000;
  SeriesRow idle;
  idle.end = Nanoseconds{1'500'000'001};
  idle.length = Nanoseconds{500'000'001};
  idle.device = busy.device;
  idle.device.energy_pj += 50'000'000'000;
  run.series = {busy, idle};
  return run;
}

TEST_CASE("a_busy_interval_shows_rates_write_amplification_and_latencies") {
  CHECK(lines(series_csv(two_seconds())).at(1) ==
        "1.000000000,1.000000000,0.000,4.096,0.000,0.000,1000.000,0.000,1.333333,1.333333,12,7,4,,,,,,12.345,"
        "10.000,20.000,500.000,"
        "1000.001,,,,,,40960,3,0.750000,1.234567");
}

TEST_CASE("cells_without_data_are_empty_in_an_idle_interval") {
  CHECK(lines(series_csv(two_seconds())).at(2) ==
        "1.500000001,0.500000001,0.000,0.000,0.000,0.000,0.000,0.000,,1.333333,12,0,0,,,,,,,,,,,,,,,,40960,3,,0.100000");
}

TEST_CASE("every_line_has_as_many_cells_as_the_header") {
  const std::vector<std::string> all = lines(series_csv(two_seconds()));
  REQUIRE(all.size() == 3);
  for (const std::string& line : all) CHECK(std::count(line.begin(), line.end(), ',') == 31);
  CHECK(all[0].rfind("t_s,length_s,read_MB_per_s,", 0) == 0);
  CHECK(all[0].find(",latency_write_us_p99,") != std::string::npos);
}

TEST_CASE("the power of a device without a power model is empty") {
  RunStats run = two_seconds();
  for (SeriesRow& row : run.series) row.device.energy_pj = 0;
  for (const std::string& line : lines(series_csv(run))) CHECK((line.back() == ',' || line.ends_with(",power_w")));
}

TEST_CASE("a_run_without_intervals_gives_only_the_header") { CHECK(lines(series_csv(RunStats{})).size() == 1); }

}  // namespace
}  // namespace ftlab
