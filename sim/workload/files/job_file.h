// Reads unmodified fio job files into jobs for a device of known capacity. Behaviour was compared with fio 3.33; the
// reproduced properties of fio are listed in docs/workloads.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/jobs/ini.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Reads "key=value" or "section:key=value". Throws ConfigError.
JobOverride parse_job_override(std::string_view text);

// Also reads a fio command line instead of a job file (fio_command.h). REQUIRES: context.capacity_bytes > 0.
// Throws ConfigError with file, line, option and value for anything that fio would refuse, that is unknown here, or that
// cannot run on a simulated drive.
JobFile parse_job_file(std::string_view text, const std::string& file_name, const JobContext& context);

// Names of the devices of the jobs, or of their files, each once, in the order of their first appearance. Only those before
// the first invalid option, which parse_job_file() refuses. Throws ConfigError.
std::vector<std::string> devices_in_job_file(std::string_view text, const std::string& file_name, const JobContext& context);

// vdbench parameter files are not supported. They are recognized, so that the refusal can explain how to write them for fio.
bool is_vdbench_file(std::string_view text);
[[noreturn]] void refuse_vdbench(const std::string& file);

}  // namespace ftlab
