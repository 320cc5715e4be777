// fio's dp_scheme: a file of ranges of offsets, and the placement identifier of each.
#pragma once

#include "sim/workload/files/job_file.h"
#include "sim/workload/options/settings.h"

namespace ftlab {

// With plid_select=scheme sets the ranges of the settings; else nothing happens. Throws ConfigError.
void read_placement_scheme(Settings& settings, const Section& section, const JobContext& context);

}  // namespace ftlab
