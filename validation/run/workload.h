// What a run does with its drive: a job file, or a trace in its place.
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

  // A trace is described as one job. REQUIRES: this outlives the statistics of the run.
  const JobFile& jobs() const { return trace ? trace->jobs() : job_file; }
  void note(const std::vector<Note>& notes);
  // `cuts`: the device, where the workload cuts its power.
  RunStats run(Device& device, const HostOptions& host, CutDevice* cuts = nullptr) const;
  // Only a trace does: the recording of a drive whose power was cut.
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
// Also for a trace that cuts the power.
void refuse_for_disk(const RunWorkload& workload, const std::string& path);

}  // namespace ftlab
