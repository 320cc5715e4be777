// The command line of the program `ftlab`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bindings/cli/commands.h"

namespace ftlab {

class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Parses the words after the program's name; session() then has the chosen command. Throws ConfigError for an unknown
  // command or option, CLI::ParseError for other errors and for --help and --version.
  void parse(std::vector<std::string> words);

  Session& session() { return session_; }
  CLI::App& app() { return app_; }
  bool verbose() const { return verbosity_ > 0; }
  // Full name of the chosen command, as "ftlab drives list"; "ftlab" if no command was given.
  std::string chosen_name() const;

 private:
  static void join_fio_command(std::vector<std::string>& words);
  void refuse_unknown_command(const std::vector<std::string>& words) const;
  void refuse_left_over() const;
  [[noreturn]] void refuse_fio_command(const std::string& word) const;
  const CLI::App& chosen() const;

  Session session_;  // outlives the commands, which refer to it
  int verbosity_ = 0;
  CLI::App app_{"ftlab: a laboratory for flash translation layers", "ftlab"};
};

}  // namespace ftlab
