// ftlab run PROCEDURE.json: a procedure on a simulated drive, with one result folder that holds one folder for each run.
#pragma once

#include <memory>

#include "bindings/cli/commands.h"
#include "bindings/cli/subject.h"
#include "bindings/state_file.h"
#include "sim/methodology/carry_out.h"
#include "sim/workload/job_file.h"

namespace ftlab {

struct ProcedureRun {
  std::string file;
  std::string out;
  bool replace = false;
  bool json = false;
  std::uint64_t seed = 1;
  std::vector<std::string> variables;     // NAME=VALUE
  std::vector<std::string> job_settings;  // as for jobs
  std::string save;
};

// Returns the exit status. Throws ConfigError.
int run_procedure(const ProcedureRun& options, Subject subject, const Session& session);

}  // namespace ftlab
