// Answers of `ftlab wa` and `ftlab theory`, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ftl/counting/steady_run.h"
#include "models/theory/question.h"

namespace CLI {
class App;
}

namespace ftlab {

// As written on the command line.
struct WaArguments {
  std::string policy = "greedy";
  std::string d = "10";
  std::string window = "0.1";
  std::vector<std::string> parameters = {};  // KEY=VALUE of a user-defined policy
  std::string op = "0.07";
  std::string pages_per_block = "64";
  std::string blocks = "1024";
  std::string workload = "uniform";
  std::string frontiers = "one";
  std::string trim = "0:mapped";
  std::string compression = "1";
};

void add_wa_arguments(CLI::App& command, WaArguments& arguments);

// Throws ConfigError that names the option, its value and what is allowed.
WaQuestion wa_question(const WaArguments& arguments);

// Simulated, with the result of the formula if one exists. Throws ConfigError, Interrupted.
nlohmann::ordered_json wa_answer(const WaArguments& arguments, const SteadyRunOptions& options);

// The over-provisioning that gives a write amplification: wa_answer() for that `op`, found by repeated simulation to 0.1 %
// or the precision of the options if that is coarser, with `target_wa` and the number of `runs`. Throws ConfigError if none comes
// within 1 %, or three times the precision; Interrupted.
nlohmann::ordered_json op_answer(const WaArguments& arguments, double target_wa, const SteadyRunOptions& options);

// The result of the formula alone. Throws ConfigError.
nlohmann::ordered_json theory_answer(const WaArguments& arguments);

}  // namespace ftlab
