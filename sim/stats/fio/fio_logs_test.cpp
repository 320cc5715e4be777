#include <sstream>

#include "sim/stats/fio/fio_report.h"
#include "sim/stats/testing/run.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

std::vector<std::string> names(const std::vector<LogFile>& files) {
  std::vector<std::string> list;
  for (const LogFile& file : files) list.push_back(file.name);
  return list;
}

TEST_CASE("a_job_gets_the_logs_it_requests_under_its_1_based_number") {
  TestRun test;
  test.record(test.add_job("none", 0), Direction::read, 1);
  Job& job = test.add_job("all", 1);
  job.bandwidth_log = "b";
  job.iops_log = "i";
  job.latency_log = "dir/l";
  test.record(job, Direction::read, 1);
  CHECK(names(fio_logs(test.run)) ==
        std::vector<std::string>{"b_bw.2.log", "i_iops.2.log", "dir/l_lat.2.log", "dir/l_slat.2.log", "dir/l_clat.2.log"});
}

TEST_CASE("a_log_line_has_time_value_direction_block_and_priority") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.bandwidth_log = job.iops_log = job.latency_log = "x";
  test.record(job, Direction::write, 2);
  const std::vector<LogFile> files = fio_logs(test.run);
  CHECK(files[0].text == "1, 4096000, 1, 4096, 0\n2, 2048000, 1, 4096, 0\n");
  CHECK(files[1].text == "1, 1, 1, 4096, 0\n2, 1, 1, 4096, 0\n");
  CHECK(files[2].text == "1, 1000, 1, 4096, 0\n2, 2000, 1, 4096, 0\n");
  CHECK(files[3].text == "1, 0, 1, 4096, 0\n2, 0, 1, 4096, 0\n");
  CHECK(files[4].text == files[2].text);
}

TEST_CASE("the_offset_is_logged_if_the_job_requests_it") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.latency_log = "x";
  job.choices.log_offset = true;
  test.record(job, Direction::read, 2);
  CHECK(fio_logs(test.run)[0].text == "1, 1000, 0, 4096, 0, 0\n2, 2000, 0, 4096, 4096, 0\n");
  job.choices.log_offset = false;
  CHECK(fio_logs(test.run)[0].text == "1, 1000, 0, 4096, 0\n2, 2000, 0, 4096, 0\n");
}

TEST_CASE("averaged_rows_have_no_block_and_no_offset") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.latency_log = "x";
  job.log_interval = kMillisecond * 10;
  test.record(job, Direction::trim, 20);
  CHECK(fio_logs(test.run)[0].text == "10, 5500, 2, 0, 0\n20, 15500, 2, 0, 0\n");
}

TEST_CASE("a_window_may_show_its_largest_latency_instead_of_the_mean") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.latency_log = "x";
  job.log_interval = kMillisecond * 10;
  job.choices.log_largest = true;
  test.record(job, Direction::read, 20);
  CHECK(fio_logs(test.run)[0].text == "10, 10000, 0, 0, 0\n20, 20000, 0, 0, 0\n");
}

TEST_CASE("the_priority_is_a_hexadecimal_number_if_the_job_requests_it") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.iops_log = "x";
  job.choices.log_priority = true;
  test.record(job, Direction::read, 1);
  CHECK(fio_logs(test.run)[0].text == "1, 1, 0, 4096, 0x0000\n");
}

TEST_CASE("without_per_job_logs_jobs_share_a_file_without_a_number") {
  TestRun test;
  for (const char* name : {"a", "b"}) {
    Job& job = test.add_job(name, 0);
    job.iops_log = "x";
    job.choices.logs_by_job = false;
    test.record(job, Direction::read, 1);
  }
  const std::vector<LogFile> files = fio_logs(test.run);
  REQUIRE(names(files) == std::vector<std::string>{"x_iops.log"});
  CHECK(files[0].text == "1, 1, 0, 4096, 0\n1, 1, 0, 4096, 0\n");
}

TEST_CASE("a_histogram_row_counts_the_latencies_of_its_window_by_bins") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.choices.histogram_log = "x";
  job.choices.histogram_interval = kMillisecond * 10;
  test.record(job, Direction::write, 25);
  std::istringstream fine(fio_logs(test.run).at(0).text);
  std::vector<std::vector<std::uint64_t>> rows;
  for (std::string line; std::getline(fine, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stoull(cell));
  }
  REQUIRE(rows.size() == 2);  // the last 5 ms are not a whole window
  for (std::size_t row = 0; row < 2; ++row) {
    REQUIRE(rows[row].size() == 3 + Histogram::kBinCount);
    CHECK(std::vector<std::uint64_t>(rows[row].begin(), rows[row].begin() + 3) ==
          std::vector<std::uint64_t>{10 * (row + 1), 1, 4096});
    for (std::uint64_t us = 10 * row + 1; us <= 10 * row + 10; ++us) CHECK(rows[row][3 + Histogram::bin_of(us * 1000)] == 1);
  }
  job.choices.histogram_coarseness = 6;
  const std::string coarse = fio_logs(test.run).at(0).text;
  CHECK(coarse.substr(0, coarse.find('\n')) ==
        "10, 1, 4096, 0, 0, 0, 0, 1, 1, 2, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0");
}

}  // namespace
}  // namespace ftlab
