// Output of a run for people.
#include "validation/results/summary.h"

#include "sim/stats/testing/run.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("jobs joined by group_reporting are one line of the summary, added up, with the number of jobs") {
  TestRun test;
  test.record(test.add_job("load", 0), Direction::read, 1000);
  test.record(test.add_job("load", 0), Direction::read, 1000);
  test.record(test.add_job("alone", 1), Direction::write, 500);
  const std::string table = job_table(test.run);
  CHECK(table.find("  load, 2 jobs            read        8.19       2000       500.5") != std::string::npos);
  CHECK(table.find("  alone                   write       4.10       1000       250.5") != std::string::npos);
  CHECK(std::count(table.begin(), table.end(), '\n') == 3);
}

TEST_CASE("jobs without group_reporting are one line of the summary each") {
  TestRun test;
  test.record(test.add_job("load", 0), Direction::read, 1000);
  test.record(test.add_job("load", 1), Direction::read, 1000);
  const std::string table = job_table(test.run);
  CHECK(std::count(table.begin(), table.end(), '\n') == 3);
  CHECK(table.find("jobs") == std::string::npos);
}
