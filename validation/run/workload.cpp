#include "validation/run/workload.h"

#include <algorithm>

#include "sim/core/error.h"
#include "validation/run/job_input.h"

namespace ftlab {
namespace {

double mean_bytes(const BlockSizes& sizes) {
  if (sizes.shares.empty()) return static_cast<double>(sizes.least + sizes.most) / 2;
  double mean = 0;
  for (const SizeShare& share : sizes.shares) mean += static_cast<double>(share.bytes) * share.percent / 100;
  return mean;
}

double mean_bytes(const Job& job) {
  const double reads = mean_bytes(job.sizes[0]), writes = mean_bytes(job.sizes[1]), trims = mean_bytes(job.sizes[2]);
  if (job.pattern.mixed()) return (reads * job.read_percent + writes * (100 - job.read_percent)) / 100;
  return job.pattern.reads ? reads : job.pattern.writes ? writes : trims;
}

// Requests until the job's amount ends it.
double requests_of(const Job& job) {
  double requests = static_cast<double>(job.amount_bytes) / std::max(mean_bytes(job), 1.0);
  if (job.request_limit) requests = std::min(requests, static_cast<double>(*job.request_limit));
  requests *= static_cast<double>(job.loops);
  if (job.pattern.trim_then_write || (job.verify.on && job.verify.read_back && job.pattern.writes)) requests *= 2;
  return requests;
}

}  // namespace

RunProgress::RunProgress(std::uint64_t requests) : groups_(1) { groups_.front().requests = requests; }

RunProgress::RunProgress(const JobFile& jobs) {
  for (const Job& job : jobs.jobs) {
    if (groups_.size() <= job.job_group) groups_.resize(job.job_group + 1);
    groups_[job.job_group].add(job);
  }
}

void RunProgress::Group::add(const Job& job) {
  const bool ends_by_itself = !job.time_based && !job.replay;
  known = known && (job.runtime || ends_by_itself);
  if (job.runtime) {
    time = std::max(time.value_or(Nanoseconds{0}), job.start_delay + job.ramp + *job.runtime);
    counts = counts && ends_by_itself;  // the others' requests cannot be told from those of a time-based job
  }
  if (ends_by_itself) requests = requests.value_or(0) + static_cast<std::uint64_t>(requests_of(job));
  if (!counts) requests = std::nullopt;
}

// A job with both limits ends at the earlier one.
double RunProgress::done_of(const Group& group, Nanoseconds time, std::uint64_t requests) {
  const auto share = [](double part, double whole) { return whole > 0 ? std::min(part / whole, 1.0) : 1.0; };
  double done = 0;
  if (group.time) done = share(static_cast<double>(time.count()), static_cast<double>(group.time->count()));
  if (group.requests) done = std::max(done, share(static_cast<double>(requests), static_cast<double>(*group.requests)));
  return done;
}

std::optional<double> RunProgress::done(Nanoseconds now, std::uint64_t requests) {
  if (groups_.empty()) return std::nullopt;
  double done = done_of(groups_[group_], now - began_, requests - requests_before_);
  while (done >= 1 && group_ + 1 < groups_.size()) {
    began_ = now;
    requests_before_ = requests;
    done = done_of(groups_[++group_], Nanoseconds{0}, 0);
  }
  const bool known = std::all_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.known; });
  if (!known) return std::nullopt;
  return (static_cast<double>(group_) + done) / static_cast<double>(groups_.size());
}

void RunWorkload::note(const std::vector<Note>& notes) {
  if (trace) return trace->note(notes);
  job_file.notes.insert(job_file.notes.end(), notes.begin(), notes.end());
}

RunStats RunWorkload::run(Device& device, const HostOptions& host, CutDevice* cuts) const {
  return trace ? trace->run(device, host, cuts) : run_jobs(device, job_file.jobs, host);
}

Nanoseconds RunWorkload::series_interval() const { return trace ? trace->series_interval() : series_interval_for(job_file); }

RunProgress RunWorkload::progress() const { return trace ? RunProgress(trace->request_count()) : RunProgress(job_file); }

WorkloadReport RunWorkload::report(const RunStats& stats) const {
  return trace ? WorkloadReport{"trace", trace->report(stats), trace->problems(stats)} : WorkloadReport{};
}

RunWorkload load_workload(const std::string& path, const JobArguments& job_arguments, const TraceArguments& trace,
                          std::uint64_t capacity_bytes, bool untimed) {
  RunWorkload workload;
  if (!is_fio_command(path) && is_trace(path, trace)) {
    if (const std::string option = any_job_option(job_arguments); !option.empty())
      throw ConfigError({option, 0}, "", "is for job files; " + path + " is read as a trace");
    workload.trace = std::make_unique<TraceRun>(path, trace, capacity_bytes, !untimed);
    return workload;
  }
  if (const std::string option = trace.any(); !option.empty())
    throw ConfigError({option, 0}, "", "is for traces; " + path + " is a job file");
  workload.job_file = load_jobs(path, capacity_bytes, job_arguments);
  if (untimed) refuse_timed_jobs(workload.job_file, path);
  return workload;
}

void refuse_for_disk(const RunWorkload& workload, const std::string& path) {
  if (workload.cuts_power())
    throw ConfigError({path, workload.trace->power_line()}, "",
                      "cuts the power, and a disk has no write buffer that could lose anything", {}, "--drive of an SSD");
  refuse_trims(workload.job_file, path);
}

void refuse_trims(const JobFile& jobs, const std::string& path) {
  for (const Job& job : jobs.jobs) {
    if (job.pattern.trims)
      throw ConfigError({path, job.line}, "rw", "trims, and a disk has no TRIM", job.rw, "reads and writes");
  }
}

}  // namespace ftlab
