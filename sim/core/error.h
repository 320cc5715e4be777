// The only error for bad input: thrown before simulated time starts, with everything the user needs to fix it.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

// One message on one line, a plain English sentence about KEY:
//   FILE:LINE: KEY: WHAT IS WRONG (got VALUE; allowed: ALLOWED; did you mean NAME?)
// as in
//   a.json:7: gc.policy: is not a known name (got "gredy"; allowed: greedy, fifo; did you mean greedy?)
// Empty parts are left out, and so are the brackets if all their parts are empty. `line` 0 means that no line can be named
// (a file that cannot be read, a command-line value). Whatever the parts contain, the message is one line of printable
// ASCII; key and value are cut like by printable().
struct ConfigError : std::runtime_error {
  struct Place {
    std::string file;
    std::size_t line = 0;
  };
  ConfigError(const Place& place, std::string_view key, std::string_view problem, std::string_view value = {},
              std::string_view allowed = {}, std::string_view nearest = {});
  // Several messages, one per line (see Problems).
  explicit ConfigError(const std::string& messages) : std::runtime_error(messages) {}
};

// The candidate with the smallest edit distance (Damerau-Levenshtein, restricted) to `name`; empty if none is within a third
// of the name's length (at least 2). Names that have no letter in common are never near. Ties go to the first candidate.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// Makes a user's text fit to print in a message: escapes control characters and non-ASCII bytes as \xNN, and cuts the text
// to `most` characters including an ellipsis. Text that is already fit is unchanged.
std::string printable(std::string_view text, std::size_t most = 60);

}  // namespace ftlab
