#include "validation/compare/reading/fio_log.h"

#include "sim/config/refusal.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::vector<TimeCurve> read(const std::string& name, const std::string& text) {
  const auto parsed = fio_log_name(name);
  REQUIRE(parsed);
  return read_fio_log(text, name, *parsed);
}

void check(const TimeCurve::Interval& interval, double begin_s, double end_s, double value) {
  CHECK(interval.begin_s == Approx(begin_s).margin(1e-9));
  CHECK(interval.end_s == Approx(end_s).margin(1e-9));
  CHECK(interval.value == Approx(value).epsilon(1e-12));
}

}  // namespace

TEST_CASE("log names contain prefix, kind and job") {
  const auto latency = fio_log_name("my_run_clat_hist.12.log");
  REQUIRE(latency);
  CHECK(latency->prefix == "my_run");
  CHECK(latency->kind == FioLogName::Kind::histogram);
  CHECK(latency->job == "12");
  CHECK(fio_log_name("bw.log")->kind == FioLogName::Kind::bandwidth);
  CHECK(fio_log_name("x_lat.1.log")->kind == FioLogName::Kind::latency);
  CHECK(fio_log_name("x_iops.log")->job.empty());
  CHECK_FALSE(fio_log_name("x_iolog.1.log"));
  CHECK_FALSE(fio_log_name("x_bw.1.csv"));
  CHECK_FALSE(fio_log_name("xbw.1.log"));
}

TEST_CASE("rows of averaged logs are means of windows that end at their time, by direction") {
  const auto curves = read("w_bw.1.log", "500, 2000, 0, 0, 0\n500, 10, 1, 0, 0\n1000, 1000, 0, 0, 0\n1000, 20, 1, 0, 0\n");
  REQUIRE(curves.size() == 2);
  CHECK(curves[0].quantity == Quantity::bytes_per_s);
  CHECK(curves[0].label == "w.1");
  REQUIRE(curves[0].intervals.size() == 2);
  check(curves[0].intervals[0], 0, 0.5, 2000 * 1024);
  check(curves[0].intervals[1], 0.5, 1, 1000 * 1024);
  CHECK(curves[1].direction == Direction::write);
  check(curves[1].intervals[1], 0.5, 1, 20 * 1024);
}

TEST_CASE("windows without requests have no row: rates are 0 there, latencies unknown") {
  const std::string text = "1000, 7, 0, 0, 0\n2000, 7, 0, 0, 0\n5000, 7, 0, 0, 0\n6010, 7, 0, 0, 0\n";
  const auto iops = read("w_iops.1.log", text).at(0).intervals;
  REQUIRE(iops.size() == 5);
  check(iops[2], 2, 3.99, 0);  // the median distance is 1.01 s
  check(iops[3], 3.99, 5, 7);
  const auto latency = read("w_clat.1.log", text).at(0).intervals;
  REQUIRE(latency.size() == 4);
  check(latency[2], 3.99, 5, 7);
}

TEST_CASE("rows of single requests are gathered into seconds, and the last partial second gives no rate") {
  const std::string text =
      "1, 1, 0, 4096, 0\n999, 1, 0, 8192, 0\n1000, 1, 0, 4096, 0\n1001, 1, 0, 4096, 0\n3500, 1, 0, 4096, 0\n";
  const auto iops = read("w_iops.1.log", text).at(0).intervals;
  REQUIRE(iops.size() == 2);
  check(iops[0], 0, 1, 3);
  check(iops[1], 1, 2, 1);
  const auto bytes = read("w_bw.1.log", text).at(0).intervals;
  check(bytes[0], 0, 1, 16384);
  const auto latency =
      read("w_lat.1.log", "10, 100, 0, 4096, 0\n20, 300, 0, 4096, 0\n1500, 500, 0, 4096, 0\n").at(0).intervals;
  REQUIRE(latency.size() == 2);
  check(latency[0], 0, 1, 200);
  check(latency[1], 1, 2, 500);
}

TEST_CASE("a histogram log gives the mean of each window for bins of any coarseness") {
  // With 29 columns each covers 64 bins: 0 to 63 ns, 64 to 127 ns, and so on.
  std::string row = "500, 1, 4096";
  for (int i = 0; i < 29; ++i) row += i == 0 ? ", 3" : i == 1 ? ", 1" : ", 0";
  const auto curves = read("h_clat_hist.1.log", row + "\n");
  REQUIRE(curves.size() == 1);
  CHECK(curves[0].direction == Direction::write);
  check(curves[0].intervals.at(0), 0, 0.5, (3 * 31.5 + 95.5) / 4);
}

TEST_CASE("malformed log rows are refused with their line") {
  const auto problem = [](const std::string& name, const std::string& text) { return refusal([&] { read(name, text); }); };
  CHECK(problem("a_bw.log", "1, 2, 0, 0, 0\n1, 2\n") ==
        "a_bw.log:2: has 2 columns (allowed: time, value, direction, block size and so on)");
  CHECK(problem("a_bw.log", "1, x, 0, 0, 0\n").find("a_bw.log:1: value: is not a number (got x") == 0);
  CHECK(problem("a_bw.log", "1, -2, 0, 0, 0\n").find("a_bw.log:1: value: is out of range (got -2") == 0);
  CHECK(problem("a_bw.log", "1, nan, 0, 0, 0\n").find("value: is out of range (got nan") != std::string::npos);
  CHECK(problem("a_bw.log", "1, 1e400, 0, 0, 0\n").find("value: is not a number") != std::string::npos);
  CHECK(problem("a_bw.log", "99999999999999999, 1, 0, 0, 0\n").find("time: is out of range") != std::string::npos);
  CHECK(problem("a_bw.log", "1, 2, 3, 0, 0\n").find("direction: is none (got 3; allowed: 0 (read)") != std::string::npos);
  CHECK(problem("a_bw.log", "500, 2, 0, 0, 0\n400, 2, 0, 0, 0\n").find("a_bw.log:2: time: does not rise") == 0);
  CHECK(problem("a_bw.log", "1, 2, 0, 0, 0\n2, 2, 0, 512, 0\n").find("a_bw.log:2: block size: is 0 in some rows only") == 0);
  CHECK(problem("a_clat_hist.log", "500, 0, 4096, 1, 2, 3\n").find("has 3 bins") != std::string::npos);
}
