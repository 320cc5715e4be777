#include "sim/stats/fio/report_group.h"

#include <map>

#include "sim/core/random.h"
#include "sim/stats/testing/run.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

using Depths = std::array<std::uint64_t, 7>;

Depths depths(std::size_t depth, std::uint64_t requests, Nanoseconds ramp = Nanoseconds{0}) {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.depth = depth;
  job.ramp = ramp;
  test.record(job, Direction::read, requests);
  return report_groups(test.run).at(0).by_depth;
}

TEST_CASE("jobs with stats=0 are omitted from the report, also within a group") {
  RandomStream draw(1, "reported");
  for (int trial = 0; trial < 50; ++trial) {
    TestRun test;
    std::map<std::size_t, std::uint64_t> requests;  // by group
    for (std::size_t i = 0; i < 6; ++i) {
      Job& job = test.add_job("j", i / 2);
      job.choices.reported = draw.below(2) == 1;
      test.record(job, Direction::read, i + 1);
      if (job.choices.reported) requests[i / 2] += i + 1;
    }
    std::map<std::size_t, std::uint64_t> found;
    for (const ReportGroup& group : report_groups(test.run)) found[group.first->report_group] += group.requests();
    CHECK(found == requests);
  }
}

TEST_CASE("samples_are_summarised_by_count_min_max_mean_and_deviation") {
  const SampleSummary summary = summarize({2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(summary.count == 8);
  CHECK(summary.min == 2);
  CHECK(summary.max == 9);
  CHECK(summary.mean == 5);
  CHECK_THAT(summary.deviation(), Catch::Matchers::WithinRel(std::sqrt(32.0 / 7), 1e-14));
  CHECK(summarize({}).count == 0);
  CHECK(summarize({5}).deviation() == 0);
}

TEST_CASE("jobs_of_one_report_group_become_one_entry") {
  TestRun test;
  test.record(test.add_job("a", 0), Direction::read, 1000);
  test.record(test.add_job("b", 0), Direction::read, 500);
  test.record(test.add_job("c", 1), Direction::write, 10);
  const std::vector<ReportGroup> groups = report_groups(test.run);
  REQUIRE(groups.size() == 2);
  const DirectionReport& reads = groups[0].directions[0];
  CHECK(groups[0].first->name == "a");
  CHECK(reads.requests == 1500);
  CHECK(reads.bytes == 1500 * 4096);
  CHECK(reads.latency.count() == 1500);
  CHECK(reads.runtime == kMillisecond * 1000);
  CHECK(groups[0].job_time == kMillisecond * 1500);
  CHECK(groups[1].directions[1].requests == 10);
  CHECK(groups[1].directions[0].runtime == Nanoseconds{0});
}

TEST_CASE("samples_of_a_group_are_summed_job_by_job_as_fio_does") {
  TestRun test;
  test.record(test.add_job("a", 0), Direction::read, 1000);
  test.record(test.add_job("b", 0), Direction::read, 500);
  const SampleSummary iops = report_groups(test.run)[0].directions[0].iops;
  CHECK(iops.count == 3);
  CHECK(iops.mean == 2000);
  CHECK(iops.min == 2000);
  CHECK(iops.max == 2000);
}

TEST_CASE("a_stonewall_starts_the_next_fio_group") {
  TestRun test;
  test.record(test.add_job("a", 0, 0), Direction::read, 1);
  test.record(test.add_job("b", 1, 0), Direction::read, 1);
  test.record(test.add_job("c", 2, 1), Direction::read, 1);
  const std::vector<ReportGroup> groups = report_groups(test.run);
  CHECK(groups[0].group == 0);
  CHECK(groups[1].group == 0);
  CHECK(groups[2].group == 1);
}

TEST_CASE("a_closed_loop_fills_its_queue_once_and_then_stays_at_its_depth") {
  CHECK(depths(1, 100) == Depths{100, 0, 0, 0, 0, 0, 0});
  CHECK(depths(4, 100) == Depths{1, 2, 97, 0, 0, 0, 0});
  CHECK(depths(32, 100) == Depths{1, 2, 4, 8, 16, 69, 0});
  CHECK(depths(256, 1000) == Depths{1, 2, 4, 8, 16, 32, 937});
  CHECK(depths(32, 2) == Depths{1, 1, 0, 0, 0, 0, 0});
  CHECK(depths(32, 0) == Depths{});
}

TEST_CASE("after_a_ramp_all_requests_are_at_full_depth") {
  CHECK(depths(32, 100, kMillisecond) == Depths{0, 0, 0, 0, 0, 100, 0});
}

}  // namespace
}  // namespace ftlab
