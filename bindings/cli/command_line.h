// The words that the program `ftlab` was called with.
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

  // Reads the words behind the program's name; the command that they name is in session() then. Throws ConfigError for what
  // is no command, CLI::ParseError for all else that is wrong, and for --help and --version.
  void parse(std::vector<std::string> words);

  Session& session() { return session_; }
  CLI::App& app() { return app_; }
  bool verbose() const { return verbosity_ > 0; }
  // The command that the words name, with those that it is under: "ftlab drives list"; "ftlab" alone when they name none.
  std::string chosen_name() const;

 private:
  static void join_fio_command(std::vector<std::string>& words);
  void refuse_unknown_command(const std::vector<std::string>& words) const;
  void refuse_unknown_option() const;
  const CLI::App& chosen() const;

  Session session_;  // what the commands look at outlives them
  int verbosity_ = 0;
  CLI::App app_{"ftlab: a laboratory for flash translation layers", "ftlab"};
};

}  // namespace ftlab
