// Reads fio job files, unchanged, into jobs for a device of known capacity. Behaviour was compared with fio 3.33; the
// properties of fio that are reproduced are listed in docs/workloads.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/workload/jobs/job.h"

namespace ftlab {

// Sets one option over what the file says: in every section, or in the section that is named.
struct JobOverride {
  std::string section;  // empty: every section
  std::string key;
  std::string value;
};

// Reads "key=value" or "section:key=value". Throws ConfigError.
JobOverride parse_job_override(std::string_view text);

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

// A fio command line in place of a job file is read as well (fio_command.h).
// REQUIRES: context.capacity_bytes > 0. Throws ConfigError naming file, line, option and value for anything that fio
// would refuse, that is not known here, or that cannot be run on a simulated drive.
JobFile parse_job_file(std::string_view text, const std::string& file_name, const JobContext& context);

}  // namespace ftlab
