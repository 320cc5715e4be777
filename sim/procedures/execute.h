// Carries a procedure out on a device: first a rehearsal, in which every job file is read with every value of its variables
// and every step is held against what the device can do, so that nothing starts that cannot end; then the steps, on the one
// clock of the device. The n-th run of jobs draws its chance from the procedure's seed and n, or from the step's own seed in
// the place of n.
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

// What a run of jobs showed, all its jobs and directions together.
struct Figures {
  Nanoseconds measured{0};  // from the first measured moment to the last
  PerDirection<std::uint64_t> requests{};
  PerDirection<std::uint64_t> bytes{};
  Histogram latency;
  std::uint64_t failed = 0;
  std::uint64_t host_write_bytes = 0;  // by the device's own counters, ramps included
  std::uint64_t media_write_bytes = 0;
  double value(Track::Figure figure) const;
};
Figures figures_of(const RunStats& stats);

struct StepRecord {
  std::size_t number = 0;
  const Step* step = nullptr;
  std::string folder;  // below the result; empty: the step ran no jobs, or keeps none of their files
  std::size_t round = 0;
  Values values;
  Nanoseconds started{0}, ended{0};        // on the procedure's clock, from 0
  std::optional<Figures> figures;          // of steps that ran jobs
  std::optional<FinalWindow> at_end;       // of a step that wrote, on a device that counts
  std::uint64_t mapped_bytes = 0;          // afterwards: space of the device that holds data, where it says so
  std::optional<std::uint64_t> energy_pj;  // of a device that counts it, and that went on being the same one
};

struct RoundsRecord {
  const Step* step = nullptr;
  Values values;
  std::vector<double> tracked;  // round by round
  SteadyRounds judged;
};

struct ProcedureRecord {
  std::vector<StepRecord> steps;
  std::vector<RoundsRecord> rounds;
  std::vector<std::string> notes;  // of the job files, each once
  std::uint64_t failed_requests = 0;
};

struct ProcedureOptions {
  std::uint64_t seed = 1;
  // Of one run; the seed is set over it.
  std::function<HostOptions(const JobFile&)> host;
  // Told about each run of jobs when it has ended, unless the step says `keep: false`.
  std::function<void(const StepRecord&, const JobFile&, const RunStats&)> ran;
};

// Only the rehearsal. Throws ConfigError. Returns how many steps at most would be reached.
std::size_t rehearse(const Procedure& procedure, const DeviceUnderTest& device, const JobContext& jobs);

ProcedureRecord execute(const Procedure& procedure, DeviceUnderTest& device, const JobContext& jobs,
                        const ProcedureOptions& options);

}  // namespace ftlab
