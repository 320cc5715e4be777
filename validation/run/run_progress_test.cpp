// Progress of a run by time, by requests, and over consecutive job groups.
#include "validation/run/workload.h"

#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

using namespace ftlab;

namespace {

RunProgress progress_of(const std::string& jobs) {
  JobContext context;
  context.capacity_bytes = 64 << 20;
  return RunProgress(
      parse_job_file("[global]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nbs=4k\n" + jobs, "test", context));
}

constexpr Nanoseconds seconds(std::uint64_t s) { return Nanoseconds{s * 1'000'000'000}; }

}  // namespace

TEST_CASE("progress of a time-based job is its time, ramp and delay included") {
  RunProgress progress = progress_of("[a]\nrw=randread\ntime_based\nruntime=60\nramp_time=20\nstartdelay=20\n");
  CHECK(progress.done(seconds(25), 1'000'000) == 0.25);
  CHECK(progress.done(seconds(100), 2'000'000) == 1.0);
}

TEST_CASE("progress of a job with an amount is its requests, and the earlier limit counts") {
  RunProgress amount = progress_of("[a]\nrw=write\nsize=4m\nloops=2\n");
  CHECK(amount.done(seconds(1), 512) == 0.25);
  RunProgress mixed = progress_of("[a]\nrw=randrw\nrwmixread=25\nbs=4k,8k\nsize=7m\n");  // mean request size 7 KiB
  CHECK(mixed.done(seconds(1), 512) == 0.5);
  RunProgress both = progress_of("[a]\nrw=write\nsize=4m\nruntime=10\n");
  CHECK(both.done(seconds(1), 512) == 0.5);
  CHECK(both.done(seconds(9), 520) == 0.9);
}

TEST_CASE("consecutive job groups have equal weight") {
  RunProgress progress = progress_of("[fill]\nrw=write\nsize=4m\n[read]\nstonewall\nrw=randread\ntime_based\nruntime=10\n");
  CHECK(progress.done(seconds(3), 512) == 0.25);
  CHECK(progress.done(seconds(6), 1024) == 0.5);
  CHECK(progress.done(seconds(11), 5000) == 0.75);
}

TEST_CASE("requests of a time-based job do not count for concurrent jobs") {
  RunProgress progress = progress_of("[a]\nrw=randread\ntime_based\nruntime=10\n[b]\nrw=write\nsize=4m\n");
  CHECK(progress.done(seconds(5), 900) == 0.5);
}

TEST_CASE("progress is unknown if a job has no known end, and a trace counts requests") {
  CHECK(RunProgress(1000).done(seconds(1), 250) == 0.25);
  JobFile endless = {};
  endless.jobs.resize(1);
  endless.jobs[0].time_based = true;
  CHECK_FALSE(RunProgress(endless).done(seconds(1), 250));
}
