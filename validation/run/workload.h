// The workload of a run: a job file or a trace.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/types.h"
#include "sim/host/host.h"
#include "sim/workload/files/job_file.h"
#include "validation/results/result.h"
#include "validation/run/job_input.h"
#include "validation/run/trace_input.h"
#include "validation/run/traces/block_recording.h"

namespace ftlab {

// Estimates the progress of a run from its time and requests. Varying sizes count as their mean, and consecutive job groups
// have equal weight.

class RunProgress {
 public:
  explicit RunProgress(const JobFile& jobs);
  explicit RunProgress(std::uint64_t requests);  // total requests of a trace

  // Returns 0 to 1, for `requests` since the start. Empty if some job's end is unknown. REQUIRES: `now` never decreases.
  std::optional<double> done(Nanoseconds now, std::uint64_t requests);

 private:
  // Jobs that run at the same time. The group ends by time or by requests, whichever is first.
  struct Group {
    std::optional<Nanoseconds> time;        // absent if no job has a runtime
    std::optional<std::uint64_t> requests;  // sum over all jobs; absent if not usable
    bool counts = true;                     // `requests` is usable
    bool known = true;                      // the end of each job is known
    void add(const Job& job);
  };
  static double done_of(const Group& group, Nanoseconds time, std::uint64_t requests);

  std::vector<Group> groups_;
  std::size_t group_ = 0;              // index of the current group
  Nanoseconds began_{0};               // its start, as far as observed
  std::uint64_t requests_before_ = 0;  // requests before it
};

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
