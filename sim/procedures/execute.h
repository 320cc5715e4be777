// Executes a procedure on a device. First a rehearsal reads every job file with every value of its variables and checks
// every step against the abilities of the device, so that nothing starts that cannot end. Then the steps run on the one
// clock of the device. The random numbers of the n-th run of jobs come from the procedure's seed and n, or from the step's
// own seed instead of n.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/host/host.h"
#include "sim/procedures/device_under_test.h"
#include "sim/procedures/walk.h"
#include "sim/stats/final_window.h"

namespace ftlab {

// Results of one run of jobs, over all its jobs and directions.
struct Figures {
  Nanoseconds measured{0};  // from the first measured moment to the last
  PerDirection<std::uint64_t> requests{};
  PerDirection<std::uint64_t> bytes{};
  Histogram latency;
  std::uint64_t failed = 0;
  std::uint64_t host_write_bytes = 0;  // from the device's own counters, ramps included
  std::uint64_t media_write_bytes = 0;
  double value(Track::Figure figure) const;
};
Figures figures_of(const RunStats& stats);

struct StepRecord {
  std::size_t number = 0;
  const Step* step = nullptr;
  std::string folder;  // below the result folder; empty: the step ran no jobs, or keeps none of their files
  std::size_t round = 0;
  Values values;
  Nanoseconds started{0}, ended{0};        // on the procedure's clock, from 0
  std::optional<Figures> figures;          // only if the step ran jobs
  std::optional<FinalWindow> at_end;       // only if the step wrote, on a device that counts
  std::uint64_t mapped_bytes = 0;          // space of the device that holds data after the step, if it is reported
  std::optional<std::uint64_t> energy_pj;  // only if the device counts it and was neither replaced nor restored
};

struct RoundsRecord {
  const Step* step = nullptr;
  Values values;
  std::vector<double> tracked;  // one value per round
  SteadyRounds judged;
};

struct ProcedureRecord {
  std::vector<StepRecord> steps;
  std::vector<RoundsRecord> rounds;
  std::vector<std::string> notes;  // notes of the job files, each once
  std::uint64_t failed_requests = 0;
};

struct ProcedureOptions {
  std::uint64_t seed = 1;
  // Host options of one run; their seed is overwritten.
  std::function<HostOptions(const JobFile&)> host;
  // Called after each run of jobs, unless the step has `keep: false`.
  std::function<void(const StepRecord&, const JobFile&, const RunStats&)> ran;
};

// Runs only the rehearsal. Throws ConfigError. Returns the maximum number of steps.
std::size_t rehearse(const Procedure& procedure, const DeviceUnderTest& device, const JobContext& jobs);

ProcedureRecord execute(const Procedure& procedure, DeviceUnderTest& device, const JobContext& jobs,
                        const ProcedureOptions& options);

}  // namespace ftlab
