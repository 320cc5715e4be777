// One entry of fio's report: one job, or all jobs of a group_reporting group added up. As in fio, latencies are merged,
// times are the longest, bandwidth and IOPS samples are summed job by job.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/stats/run_stats.h"

namespace ftlab {

// Bandwidth or IOPS samples of one direction. In a group every member is the sum over its jobs, as in fio: the mean is the
// group's bandwidth, but min, max and deviation are right only if all jobs reach theirs at the same moment.
struct SampleSummary {
  std::uint64_t count = 0;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  double mean = 0;
  double squares = 0;  // sum of squared distances from the mean

  double deviation() const;  // sample standard deviation (n - 1)
  SampleSummary& operator+=(const SampleSummary& other);
};

SampleSummary summarize(const std::vector<std::uint64_t>& samples);

struct DirectionReport {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  Nanoseconds runtime{0};  // longest time of a job that had requests in this direction
  Histogram latency;
  SampleSummary bandwidth_kib_s;
  SampleSummary iops;
};

struct ReportGroup {
  const Job* first = nullptr;  // gives name, options and percentiles
  std::size_t jobs = 0;        // number of jobs added up
  std::size_t group = 0;       // fio's groupid: 0-based, a stonewall or a new_group starts the next
  PerDirection<DirectionReport> directions;
  Nanoseconds job_time{0};  // summed over jobs
  std::uint64_t failed = 0;
  // Requests by the queue depth at which they were issued: 1, 2-3, 4-7 and so on, the last 64 and more. A closed loop issues
  // its first requests at depth 1, 2, 3 and so on, and all others at its full depth; requests of a ramp are not measured.
  std::array<std::uint64_t, 7> by_depth{};

  FlushStats flushes;
  int error = 0;          // error of the first job that failed although its requests succeeded
  BatchLevels submits{};  // calls that submit, and calls that reap, by number of requests
  BatchLevels reaps{};
  std::uint64_t depth = 0;  // found by a latency target, or as given
  std::optional<SteadyResult> steady;

  std::uint64_t requests() const;
  // All directions added up, for unified_rw_reporting.
  DirectionReport mixed() const;
};

// In the order of the job file, without jobs that are not to be reported (stats=0).
std::vector<ReportGroup> report_groups(const RunStats& run);

}  // namespace ftlab
