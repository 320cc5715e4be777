// ftlab measure: starts the separate program ftlab-measure, which is installed next to this one. This program contains no
// code that opens a disk for writing.
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "bindings/cli/commands.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

int hand_over(std::vector<std::string> arguments) {
  const std::string program = (program_folder() / "ftlab-measure").string();
  arguments.insert(arguments.begin(), program);
  become(program, std::move(arguments));
  throw ConfigError(
      {"ftlab measure", 0}, "",
      "needs the program ftlab-measure beside this one (`make build` builds it): " + program + ": " + std::strerror(errno));
}

}  // namespace

void add_measure(CLI::App& app, Session& session) {
  CLI::App* const command = app.add_subcommand("measure", "run a job file or a procedure on a real device or file");
  command->prefix_command();  // all following words are for the other program
  command->set_help_flag();   // including --help
  when_chosen(*command, session, [command] { return hand_over(command->remaining()); });
}

}  // namespace ftlab
