// fio's dp_scheme: a file of offset ranges, each with a placement identifier.
#pragma once

#include "sim/workload/files/job_file.h"
#include "sim/workload/options/settings.h"

namespace ftlab {

// With plid_select=scheme, reads the ranges into the settings; otherwise does nothing. Throws ConfigError.
void read_placement_scheme(Settings& settings, const Section& section, const JobContext& context);

}  // namespace ftlab
