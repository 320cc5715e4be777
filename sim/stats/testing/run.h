// For tests: run statistics as a host would have recorded them.
#pragma once

#include <deque>
#include <utility>

#include "sim/stats/job_recorder.h"

namespace ftlab {

inline constexpr Nanoseconds kMillisecond{1'000'000};

// Statistics of a run, with the jobs that they point to.
struct TestRun {
  std::deque<Job> jobs;
  RunStats run;

  Job& add_job(const char* name, std::size_t report_group, std::size_t job_group = 0) {
    Job job;
    job.name = name;
    job.number = jobs.size();
    job.report_group = report_group;
    job.job_group = job.group = job_group;
    job.percentiles = {50, 99, 99.9};
    jobs.push_back(std::move(job));
    return jobs.back();
  }

  // Records `count` requests of 4 KiB for `job`, one per millisecond from `start`; the i-th took (i + 1) us.
  void record(const Job& job, Direction direction, std::uint64_t count, Nanoseconds start = Nanoseconds{0}) {
    JobRecorder recorder(job);
    recorder.begin(start);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Nanoseconds completed = start + kMillisecond * (i + 1);
      const Nanoseconds latency{1000 * (i + 1)};
      LatencyParts parts{};
      parts[0] = latency;
      recorder.add(direction, i * 4096, 4096, completed - latency, completed, Status::ok, parts);
    }
    run.jobs.push_back(recorder.finish(start + kMillisecond * count));
    run.ended = std::max(run.ended, run.jobs.back().ended);
  }
};

}  // namespace ftlab
