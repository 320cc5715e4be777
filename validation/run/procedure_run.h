// Runs a procedure on a simulated device. The result folder contains one folder per run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/procedures/execute.h"
#include "validation/run/simulated_device.h"

namespace ftlab {

struct ProcedureRun {
  std::string file;
  std::string out;
  bool replace = false;
  std::uint64_t seed = 1;
  std::vector<std::string> variables;     // NAME=VALUE
  std::vector<std::string> job_settings;  // job settings
  std::string save;                       // path of a state file; empty: do not save
  const std::atomic<bool>* interrupted = nullptr;
  // Called after each step that keeps its files, with the share of steps done so far.
  std::function<void(const std::string& folder, double done)> ended = nullptr;
  std::function<void(Nanoseconds now, std::uint64_t requests)> progress = nullptr;
};

// A problem of one step, identified by its folder.
struct StepProblem {
  std::string folder;
  Problem problem;
};

struct ProcedureOutcome {
  Procedure procedure;     // the record refers to its steps
  ProcedureRecord record;  // REQUIRES: `procedure` does not move
  std::string summary;     // result.json
  std::vector<std::string> failed_checks;
  std::vector<StepProblem> problems;
};

// Checks the procedure and its steps, and executes nothing. Throws ConfigError.
void rehearse_procedure(const ProcedureRun& run, SimulatedDevice& device);
// Throws ConfigError before the first step; OutputError, Interrupted.
std::unique_ptr<ProcedureOutcome> run_procedure(const ProcedureRun& run, SimulatedDevice& device);

}  // namespace ftlab
