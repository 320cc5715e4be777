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

// Also reads a fio command line instead of a job file (below). REQUIRES: context.capacity_bytes > 0.
// Throws ConfigError with file, line, option and value for anything that fio would refuse, that is unknown here, or that
// cannot run on a simulated drive.
JobFile parse_job_file(std::string_view text, const std::string& file_name, const JobContext& context);

// Names of the devices of the jobs, or of their files, each once, in the order of their first appearance. Only those before
// the first invalid option, which parse_job_file() refuses. Throws ConfigError.
std::vector<std::string> devices_in_job_file(std::string_view text, const std::string& file_name, const JobContext& context);

// vdbench parameter files are not supported. They are recognized, so that the refusal can explain how to write them for fio.
bool is_vdbench_file(std::string_view text);
[[noreturn]] void refuse_vdbench(const std::string& file);

// A fio command line instead of a job file ("fio --name=x --rw=randwrite"), alone, in a shell script or copied from a
// terminal. Options before the first --name are global, each --name starts a job, and the jobs of named job files come last.

// True if `text` contains a fio command. False if its first line is a section.
bool holds_fio_command(std::string_view text);

// Sections equivalent to the command. Throws ConfigError, also for several commands, because each would be a separate run.
// REQUIRES: holds_fio_command(text).
std::vector<Section> read_fio_command(std::string_view text, const std::string& file, const JobContext& context);

// Text of a command with these arguments, which a shell has already split.
std::string fio_command_of(const std::vector<std::string>& arguments);

}  // namespace ftlab
