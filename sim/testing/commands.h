// For tests that run tools installed on this machine.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "sim/testing/test.h"

namespace ftlab {

// Output of a shell command; nullopt if it failed.
inline std::optional<std::string> output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, count);
  if (::pclose(pipe) != 0) return std::nullopt;
  return text;
}

inline bool succeeds(const std::string& command) { return output_of("{ " + command + "; } 2>&1").has_value(); }

inline bool fio_is_missing() {
  if (succeeds("fio --version && timeout 1 true")) return false;
  WARN("fio or timeout is not installed; the comparison with fio is skipped");
  return true;
}

}  // namespace ftlab
