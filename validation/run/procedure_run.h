// A procedure carried out on a simulated device, with one result folder that holds one folder for each run.
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
  std::vector<std::string> job_settings;  // as for jobs
  std::string save;                       // a state file; empty: none
  const std::atomic<bool>* interrupted = nullptr;
  // Told about each step that keeps its files, and which share of the steps that may come is done with it.
  std::function<void(const std::string& folder, double done)> ended = nullptr;
  std::function<void(Nanoseconds now, std::uint64_t requests)> progress = nullptr;
};

// A problem of one step, identified by its folder.
struct StepProblem {
  std::string folder;
  Problem problem;
};

struct ProcedureOutcome {
  Procedure procedure;     // what the record's steps belong to
  ProcedureRecord record;  // REQUIRES: `procedure` stays where it is
  std::string summary;     // result.json
  std::vector<std::string> failed_checks;
  std::vector<StepProblem> problems;
};

// Throws ConfigError before anything starts; OutputError, Interrupted.
std::unique_ptr<ProcedureOutcome> run_procedure(const ProcedureRun& run, SimulatedDevice& device);

}  // namespace ftlab
