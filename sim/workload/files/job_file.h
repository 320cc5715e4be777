// Reads fio job files, unchanged, into jobs for a device of known capacity. Behaviour was compared with fio 3.33; the
// properties of fio that are reproduced are listed in docs/workloads.md.
#pragma once

#include <string>
#include <string_view>

#include "sim/workload/jobs/job.h"
#include "sim/workload/jobs/job_context.h"

namespace ftlab {

// Reads "key=value" or "section:key=value". Throws ConfigError.
JobOverride parse_job_override(std::string_view text);

// A fio command line in place of a job file is read as well (fio_command.h).
// REQUIRES: context.capacity_bytes > 0. Throws ConfigError naming file, line, option and value for anything that fio
// would refuse, that is not known here, or that cannot be run on a simulated drive.
JobFile parse_job_file(std::string_view text, const std::string& file_name, const JobContext& context);

}  // namespace ftlab
