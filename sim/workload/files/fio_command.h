// A fio command line instead of a job file ("fio --name=x --rw=randwrite"), alone, in a shell script or copied from a
// terminal. Options before the first --name are global, each --name starts a job, and the jobs of named job files come last.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/jobs/ini.h"

namespace ftlab {

// True if `text` contains a fio command. False if its first line is a section.
bool holds_fio_command(std::string_view text);

// Sections equivalent to the command. Throws ConfigError, also for several commands, because each would be a separate run.
// REQUIRES: holds_fio_command(text).
std::vector<Section> read_fio_command(std::string_view text, const std::string& file, const JobContext& context);

// Text of a command with these arguments, which a shell has already split.
std::string fio_command_of(const std::vector<std::string>& arguments);

}  // namespace ftlab
