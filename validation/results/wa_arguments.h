// Parses the arguments of `ftlab wa` and `ftlab theory` into a WaQuestion.
#pragma once

#include <string>
#include <vector>

#include "models/theory/question.h"

namespace CLI {
class App;
}

namespace ftlab {

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

}  // namespace ftlab
