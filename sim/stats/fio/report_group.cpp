#include "sim/stats/fio/report_group.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/core/check.h"

namespace ftlab {

namespace {

std::uint64_t requests_of(const JobStats& stats) {
  std::uint64_t sum = 0;
  for (const DirectionStats& direction : stats.directions) sum += direction.requests;
  return sum;
}

void add_direction(DirectionReport& report, const DirectionStats& stats, Nanoseconds time) {
  if (stats.requests == 0) return;
  report.requests += stats.requests;
  report.bytes += stats.bytes;
  report.runtime = std::max(report.runtime, time);
  report.latency.merge(stats.latency);
  report.bandwidth_kib_s += summarize(stats.bandwidth_samples_kib_s);
  report.iops += summarize(stats.iops_samples);
}

std::size_t depth_level(std::uint64_t depth) {
  return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(depth)) - 1, 6);
}

void add_depths(ReportGroup& group, const JobStats& stats) {
  if (stats.by_depth) {
    for (std::size_t i = 0; i < group.by_depth.size(); ++i) group.by_depth[i] += (*stats.by_depth)[i];
    return;
  }
  const std::uint64_t depth = std::max<std::uint64_t>(1, stats.job->depth);
  std::uint64_t left = requests_of(stats);
  if (stats.job->ramp == Nanoseconds{0}) {
    for (std::uint64_t rising = 1; rising < depth && left > 0; ++rising, --left) ++group.by_depth[depth_level(rising)];
  }
  group.by_depth[depth_level(depth)] += left;
}

// A job that is not paced submits and reaps each request separately; fio counts batches of 1 to 4 together.
void add_batches(ReportGroup& group, const JobStats& stats) {
  const BatchLevels single = {0, requests_of(stats), 0, 0, 0, 0, 0};
  const BatchLevels& submits = stats.submits ? *stats.submits : single;
  const BatchLevels& reaps = stats.reaps ? *stats.reaps : single;
  for (std::size_t i = 0; i < single.size(); ++i) {
    group.submits[i] += submits[i];
    group.reaps[i] += reaps[i];
  }
}

void add_flow(ReportGroup& group, const JobStats& stats) {
  add_batches(group, stats);
  group.flushes.full += stats.flushes.full;
  group.flushes.latency.merge(stats.flushes.latency);
  if (group.error == 0) group.error = stats.error;
  if (group.depth == 0) group.depth = stats.depth.value_or(stats.job->depth);
  if (!group.steady) group.steady = stats.steady;
}

void add_job(ReportGroup& group, const JobStats& stats) {
  const Nanoseconds time = stats.ended - stats.started;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    add_direction(group.directions[d], stats.directions[d], time);
    group.failed += stats.failed[d];
  }
  ++group.jobs;
  group.job_time += time;
  add_depths(group, stats);
  add_flow(group, stats);
}

ReportGroup empty_group(const Job& job) {
  ReportGroup group;
  group.first = &job;
  group.group = job.group;
  return group;
}

}  // namespace

double SampleSummary::deviation() const { return count < 2 ? 0 : std::sqrt(squares / static_cast<double>(count - 1)); }

SampleSummary& SampleSummary::operator+=(const SampleSummary& other) {
  count += other.count;
  min += other.min;
  max += other.max;
  mean += other.mean;
  squares += other.squares;
  return *this;
}

SampleSummary summarize(const std::vector<std::uint64_t>& samples) {
  SampleSummary summary;
  if (samples.empty()) return summary;
  summary.count = samples.size();
  summary.min = *std::min_element(samples.begin(), samples.end());
  summary.max = *std::max_element(samples.begin(), samples.end());
  double sum = 0;
  for (const std::uint64_t sample : samples) sum += static_cast<double>(sample);
  summary.mean = sum / static_cast<double>(samples.size());
  for (const std::uint64_t sample : samples) {
    const double distance = static_cast<double>(sample) - summary.mean;
    summary.squares += distance * distance;
  }
  return summary;
}

std::uint64_t ReportGroup::requests() const {
  std::uint64_t sum = 0;
  for (const DirectionReport& direction : directions) sum += direction.requests;
  return sum;
}

DirectionReport ReportGroup::mixed() const {
  DirectionReport sum;
  for (const DirectionReport& each : directions) {
    sum.requests += each.requests;
    sum.bytes += each.bytes;
    sum.runtime = std::max(sum.runtime, each.runtime);
    sum.latency.merge(each.latency);
    sum.bandwidth_kib_s += each.bandwidth_kib_s;
    sum.iops += each.iops;
  }
  return sum;
}

std::vector<ReportGroup> report_groups(const RunStats& run) {
  std::vector<ReportGroup> groups;
  for (const JobStats& stats : run.jobs) {
    FTLAB_CHECK(stats.job != nullptr && stats.ended >= stats.started, "statistics without a job or a duration");
    if (!stats.job->choices.reported) continue;
    const bool joins = !groups.empty() && groups.back().first->report_group == stats.job->report_group;
    if (!joins) groups.push_back(empty_group(*stats.job));
    add_job(groups.back(), stats);
  }
  return groups;
}

}  // namespace ftlab
