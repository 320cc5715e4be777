// One run of ftlab run: a drive and its workload, accepted, then simulated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/cli/commands.h"
#include "sim/host/host.h"
#include "sim/stats/steady_watch.h"
#include "validation/results/intervals.h"
#include "validation/results/result.h"
#include "validation/results/result_folder.h"
#include "validation/run/job_input.h"
#include "validation/run/precondition.h"
#include "validation/run/simulated_device.h"
#include "validation/run/state_cache.h"
#include "validation/run/workload.h"

namespace ftlab {

struct RunOptions {
  std::string job;
  std::vector<std::string> drives;  // as given
  std::string drive;                // the one to run on; empty with --load
  std::string host;
  std::string out;
  std::vector<std::string> settings;
  JobArguments jobs;
  std::vector<std::string> variables;
  std::string save;
  std::string load;
  std::string until_steady;   // a share (sim/config/share.h); empty: the run ends with its jobs
  std::string precondition;   // state of the drive before the run; empty: unchanged
  std::string record_blocks;  // FROM:TO:EVERY; empty: no recording
  std::string interval;       // what the drive file is based on; empty: no intervals
  std::vector<std::string> vary;
  std::uint64_t seed = 1;
  bool untimed = false;
  bool no_cache = false;
  bool replace = false;
  bool report = false;
  bool check = false;
  bool json = false;
  TraceArguments trace;
};

// A drive and its workload, accepted and not yet run.
struct PreparedRun {
  std::vector<Note> past;
  std::unique_ptr<SimulatedDevice> device;
  RunWorkload workload;
  std::optional<Intervals> intervals;
  bool discard_versions_later = false;  // once the drive is preconditioned
};

// Throws ConfigError for anything that is wrong with the options, the drive or the workload.
PreparedRun prepared_run(const RunOptions& options);

struct FinishedRun {
  RunWorkload workload;  // the statistics refer to its jobs
  RunStats stats;
  Result result;
  std::optional<SteadyWatch> watch;
};

// Runs the prepared workload and writes its files into `folder`, or into its `part` of the result, if there are several.
// REQUIRES: signals are heeded.
FinishedRun simulate(PreparedRun prepared, const RunOptions& options, const Session& session, ResultFolder& folder,
                     const std::string& part);

// The drive, new or as saved; adds notes on its past. Throws ConfigError, also if the state of a disk is to be saved.
std::unique_ptr<SimulatedDevice> device_of(const RunOptions& options, Clock clock, std::vector<Note>& past);
// Off with --no-cache and --load.
StateCache cache_of(const RunOptions& options);
std::string memory_needs(SimulatedDevice& device, Precondition state);
// Shown for large drives, otherwise only with -v.
void report_memory(SimulatedDevice& device, Precondition state);
// "simulated 1.5 min, 2.0 M requests".
std::string reached_text(Nanoseconds now, std::uint64_t requests);

}  // namespace ftlab
