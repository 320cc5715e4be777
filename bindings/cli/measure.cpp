// ftlab measure: starts the separate program ftlab-measure, which is installed next to this one. This program contains no
// code that opens a disk for writing.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "bindings/cli/commands.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

std::filesystem::path instrument() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (error ? std::filesystem::path(".") : self.parent_path()) / "ftlab-measure";
}

int hand_over(std::vector<std::string> arguments) {
  const std::string program = instrument().string();
  arguments.insert(arguments.begin(), program);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw ConfigError(
      {"ftlab measure", 0}, "",
      "needs the program ftlab-measure beside this one (`make build` builds it): " + program + ": " + std::strerror(errno));
}

}  // namespace

void add_measure(CLI::App& app, Session& session) {
  CLI::App* const command = app.add_subcommand("measure", "run a job file or a procedure on a real device or file");
  command->prefix_command();  // all following words are for the other program
  command->set_help_flag();   // including --help
  command->callback(
      [command, &session] { session.chosen = [arguments = command->remaining()] { return hand_over(arguments); }; });
}

}  // namespace ftlab
