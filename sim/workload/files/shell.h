// Just enough of a shell's grammar to find commands in a script or in a line copied from a terminal, and to read their
// words: quotes, comments, continued lines, redirections, variables set by the script, arithmetic. Nothing is executed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"

namespace ftlab {

// A word as written, with quotes and variables.
struct ShellWord {
  std::string raw;
  std::size_t line = 0;
};
using ShellCommand = std::vector<ShellWord>;

// The simple commands of a script in order; those of a $() precede the command that uses them. Redirections are left out.
std::vector<ShellCommand> split_commands(std::string_view script);

// `raw` without quotes and backslashes; variables are not expanded.
std::string unquoted(std::string_view raw);

class ShellVariables {
 public:
  using Environment = std::function<const char*(const std::string&)>;
  explicit ShellVariables(Environment environment) : environment_(std::move(environment)) {}

  // Records the variables that the command sets: NAME=VALUE words, alone or after export and the like.
  void assign(const ShellCommand& command);

  // The word as the shell would pass it. Throws ConfigError for an unknown variable, with its name, for command output and
  // for unterminated quotes.
  std::string expanded(const ShellWord& word, const std::string& file) const;

 private:
  bool is_known(const std::string& name) const;
  std::string value_of(const std::string& name, const ShellWord& word, const std::string& file, std::size_t depth) const;
  std::string expanded(const ShellWord& word, const std::string& file, std::size_t depth) const;
  std::string computed(std::string_view& rest, const ShellWord& word, const std::string& file, std::size_t depth) const;

  Environment environment_;
  std::map<std::string, ShellWord> assigned_;
  mutable std::size_t look_ups_ = 0;  // limited, so that a hostile script cannot keep the program busy
};

// True for NAME=VALUE.
bool is_assignment(std::string_view raw);

}  // namespace ftlab
