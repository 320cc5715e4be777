#include "sim/stats/job_recorder.h"

#include "sim/core/check.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

constexpr Nanoseconds kMs{1'000'000};
using Samples = std::vector<std::uint64_t>;

// Records a completion of 4 KiB that took 80 us, half of it on the link and half waiting for the die.
void complete(JobRecorder& recorder, Nanoseconds at, Direction direction = Direction::read, Status status = Status::ok) {
  LatencyParts parts{};
  parts[1] = Nanoseconds{40'000};
  parts[6] = Nanoseconds{40'000};
  recorder.add(direction, 0, 4096, at - Nanoseconds{80'000}, at, status, parts);
}

TEST_CASE("a_job_is_counted_by_direction_and_its_parts_sum_to_its_latency") {
  const Job job;
  JobRecorder recorder(job);
  recorder.begin(Nanoseconds{0});
  complete(recorder, kMs);
  complete(recorder, kMs * 2);
  complete(recorder, kMs * 3, Direction::trim);
  const JobStats stats = recorder.finish(kMs * 4);
  CHECK(stats.job == &job);
  CHECK(stats.started == Nanoseconds{0});
  CHECK(stats.ended == kMs * 4);
  CHECK(stats.directions[0].requests == 2);
  CHECK(stats.directions[0].bytes == 8192);
  CHECK(stats.directions[2].requests == 1);
  CHECK(stats.directions[0].latency.max_ns() == 80'000);
  std::uint64_t parts = 0;
  for (const Nanoseconds part : stats.parts) parts += part.count();
  CHECK(parts == stats.directions[0].latency.total_ns() + stats.directions[2].latency.total_ns());
}

TEST_CASE("completions_before_the_measured_part_are_not_recorded") {
  Job job;
  job.latency_log = "x";
  JobRecorder recorder(job);
  complete(recorder, kMs);
  recorder.begin(kMs * 10);
  complete(recorder, kMs * 10 - Nanoseconds{1});
  complete(recorder, kMs * 10);
  const JobStats stats = recorder.finish(kMs * 12);
  CHECK(stats.started == kMs * 10);
  CHECK(stats.directions[0].requests == 1);
  REQUIRE(stats.latency_log.size() == 1);
  CHECK(stats.latency_log[0].time_ms == 0);
}

TEST_CASE("a_failed_request_is_only_counted_as_failed") {
  const Job job;
  JobRecorder recorder(job);
  recorder.begin(Nanoseconds{0});
  complete(recorder, kMs, Direction::write, Status::no_space);
  const JobStats stats = recorder.finish(kMs);
  CHECK(stats.failed[1] == 1);
  CHECK(stats.directions[1].requests == 0);
  CHECK(stats.directions[1].latency.count() == 0);
  CHECK(stats.parts == LatencyParts{});
  CHECK(stats.ended == kMs);
}

TEST_CASE("every_full_window_of_500_ms_with_completions_gives_a_sample") {
  const Job job;
  JobRecorder recorder(job);
  recorder.begin(kMs * 1000);
  for (std::uint64_t ms = 10; ms <= 500; ms += 10) complete(recorder, kMs * (1000 + ms));
  complete(recorder, kMs * 1501, Direction::write);
  complete(recorder, kMs * 3100);
  const JobStats stats = recorder.finish(kMs * 3400);
  CHECK(stats.directions[0].iops_samples == Samples{100});
  CHECK(stats.directions[0].bandwidth_samples_kib_s == Samples{400});
  CHECK(stats.directions[1].iops_samples == Samples{2});
}

TEST_CASE("a_window_that_ends_with_the_job_counts_as_full") {
  const Job job;
  for (const Nanoseconds end : {kMs * 499, kMs * 500, kMs * 501}) {
    JobRecorder recorder(job);
    recorder.begin(Nanoseconds{0});
    complete(recorder, kMs * 400);
    CHECK(recorder.finish(end).directions[0].iops_samples.size() == (end < kMs * 500 ? 0 : 1));
  }
}

TEST_CASE("the_logs_requested_by_a_job_are_kept") {
  Job job;
  job.bandwidth_log = "x";
  job.log_interval = kMs * 100;
  JobRecorder recorder(job);
  recorder.begin(kMs * 50);
  complete(recorder, kMs * 100);
  const JobStats stats = recorder.finish(kMs * 150);
  REQUIRE(stats.bandwidth_log.size() == 1);
  CHECK(stats.bandwidth_log[0].time_ms == 100);
  CHECK(stats.iops_log.empty());
  CHECK(stats.latency_log.empty());
}

TEST_CASE("a_recorder_refuses_completions_that_go_back_in_time") {
  const Job job;
  JobRecorder recorder(job);
  CHECK_THROWS_AS(recorder.finish(kMs), CheckFailed);
  recorder.begin(Nanoseconds{0});
  CHECK_THROWS_AS(recorder.begin(kMs), CheckFailed);
  complete(recorder, kMs * 2);
  CHECK_THROWS_AS(complete(recorder, kMs), CheckFailed);
  CHECK_THROWS_AS(recorder.finish(kMs), CheckFailed);
}

TEST_CASE("the_first_failure_of_a_job_is_kept_even_if_its_measurement_restarts") {
  const Job job;
  JobRecorder recorder(job);
  recorder.begin(Nanoseconds{0});
  recorder.fail(84, "a mismatch");
  recorder.fail(5, "a request failed");
  complete(recorder, kMs);
  recorder.restart_measurement(kMs);
  const JobStats stats = recorder.finish(kMs * 2);
  CHECK(stats.error == 84);
  CHECK(stats.failure() == "failed: a mismatch");
  CHECK(stats.directions[0].requests == 0);
}

}  // namespace
}  // namespace ftlab
