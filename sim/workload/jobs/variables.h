// What may stand inside a value: ${VARIABLES} of the caller's environment and fio's $pagesize.
#pragma once

#include "sim/workload/jobs/ini.h"

namespace ftlab {

// Replaces both in `setting.value`. An unknown variable is refused, and so are $ncpus and $mb_memory, which would make
// a result depend on the machine that computes it.
void expand_variables(Setting& setting, const JobContext& context);

}  // namespace ftlab
