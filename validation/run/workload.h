// The workload of a run: a job file or a trace.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/host/host.h"
#include "sim/workload/files/job_file.h"
#include "validation/results/result.h"
#include "validation/run/job_input.h"
#include "validation/run/run_progress.h"
#include "validation/run/trace_input.h"
#include "validation/run/traces/block_recording.h"

namespace ftlab {

struct RunWorkload {
  JobFile job_file;
  std::unique_ptr<TraceRun> trace;

  // The job file, or the trace described as one job. REQUIRES: this outlives the statistics of the run.
  const JobFile& jobs() const { return trace ? trace->jobs() : job_file; }
  void note(const std::vector<Note>& notes);
  // REQUIRES: `cuts` is the device if the workload cuts its power.
  RunStats run(Device& device, const HostOptions& host, CutDevice* cuts = nullptr) const;
  // Only recordings of drives with power cuts do.
  bool cuts_power() const { return trace && trace->power_line() > 0; }
  Nanoseconds series_interval() const;
  RunProgress progress() const;
  WorkloadReport report(const RunStats& stats) const;
};

// Throws ConfigError.
RunWorkload load_workload(const std::string& path, const JobArguments& job_arguments, const TraceArguments& trace,
                          std::uint64_t capacity_bytes, bool untimed);

// Throws ConfigError for the first job that trims: a disk has no TRIM.
void refuse_trims(const JobFile& jobs, const std::string& path);
// Like refuse_trims(), also for traces with power cuts.
void refuse_for_disk(const RunWorkload& workload, const std::string& path);

}  // namespace ftlab
