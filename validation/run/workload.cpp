#include "validation/run/workload.h"

#include "sim/core/error.h"
#include "validation/run/job_input.h"

namespace ftlab {

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
