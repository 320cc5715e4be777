// ftlab calibrate --drive BASE --plan OUT.fio --fit KEY...: plans the measurements of a later calibration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bindings/cli/commands.h"

namespace ftlab {

struct PlanCommand {
  std::string out;  // the new job file
  std::uint64_t points = 12;
  double minutes = 10;
  // Options that the command shares with a calibration.
  std::string drive, host;
  std::vector<std::string> settings, fit, figures, states;
  std::uint64_t scale = 1, seed = 1, requests = 6000;
  unsigned threads = 0;
};

// Writes the job file and prints the plan. Throws ConfigError.
int write_plan(const PlanCommand& command, const Session& session);

}  // namespace ftlab
