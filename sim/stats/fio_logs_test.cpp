#include "sim/stats/fio_report.h"
#include "sim/stats/test_run.h"
#include "sim/test.h"

namespace ftlab {
namespace {

std::vector<std::string> names(const std::vector<LogFile>& files) {
  std::vector<std::string> list;
  for (const LogFile& file : files) list.push_back(file.name);
  return list;
}

TEST_CASE("a_job_gets_the_logs_it_asks_for_under_its_one_based_number") {
  TestRun test;
  test.record(test.add_job("none", 0), Direction::read, 1);
  Job& job = test.add_job("all", 1);
  job.bandwidth_log = "b";
  job.iops_log = "i";
  job.latency_log = "dir/l";
  test.record(job, Direction::read, 1);
  CHECK(names(fio_logs(test.run)) == std::vector<std::string>{"b_bw.2.log", "i_iops.2.log", "dir/l_lat.2.log",
                                                              "dir/l_slat.2.log", "dir/l_clat.2.log"});
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

TEST_CASE("the_offset_is_logged_when_the_job_says_so") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.latency_log = "x";
  job.wishes.log_offset = true;
  test.record(job, Direction::read, 2);
  CHECK(fio_logs(test.run)[0].text == "1, 1000, 0, 4096, 0, 0\n2, 2000, 0, 4096, 4096, 0\n");
  job.wishes.log_offset = false;
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

}  // namespace
}  // namespace ftlab
