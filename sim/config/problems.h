// What is wrong with one document, collected: a user who writes a file of a drive mends all of it at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"

namespace ftlab {

class Problems {
 public:
  static constexpr std::size_t kMost = 20;  // shown; more are counted as "more"

  // Of the value at this dotted path; what was added already counts once.
  void add(std::string_view path, const ConfigError& error);
  // Whether the value at `path`, something in it or something around it has a problem. An empty path: anything at all.
  bool touch(std::string_view path) const;
  // Throws one ConfigError: the only problem as it is, or several, one a line, in the order of finding.
  void refuse_if_any() const;

 private:
  std::vector<std::string> paths_, messages_;
};

}  // namespace ftlab
