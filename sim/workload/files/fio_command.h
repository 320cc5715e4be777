// A fio command line in place of a job file: "fio --name=x --rw=randwrite ...", alone, in a shell script or copied from a
// terminal. Options before the first --name are global, each --name starts a job, job files that it names come after them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/jobs/ini.h"

namespace ftlab {

// False for a text whose first line is a section.
bool holds_fio_command(std::string_view text);

// The sections that the command stands for. Throws ConfigError; also when there are several commands, each a run of its own.
// REQUIRES: holds_fio_command(text).
std::vector<Section> read_fio_command(std::string_view text, const std::string& file, const JobContext& context);

// The text of a command with these arguments, from a command line that a shell has read already.
std::string fio_command_of(const std::vector<std::string>& arguments);

}  // namespace ftlab
