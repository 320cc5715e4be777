// Input of a job file besides its own text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ftlab {

// Sets one option over what the file says: in every section, or in the section that is named.
struct JobOverride {
  std::string section;  // empty: every section
  std::string key;
  std::string value;
};

// What a job file may depend on besides its own text.
struct JobContext {
  std::uint64_t capacity_bytes = 0;
  std::function<const char*(const std::string&)> environment;  // value of ${NAME}, or nullptr
  // Text of an included file, named as seen from the job file's folder; throws ConfigError. As in fio, a file included
  // by an included file is looked for beside that one.
  std::function<std::string(const std::string&)> include;
  std::vector<JobOverride> overrides;
  bool strict = false;  // what fio would do otherwise on a real drive is refused: requests through the page cache
  std::uint64_t shrink =
      1;               // sizes and offsets in bytes are divided by it, so that a file for a large drive fits a small one
  std::string folder;  // of the job file, where the logs that it names (read_iolog) are looked for; empty: as named
};

}  // namespace ftlab
