// Variables inside a value: ${VARIABLES} of the caller's environment and fio's $pagesize.
#pragma once

#include "sim/workload/jobs/ini.h"

namespace ftlab {

// Expands both in `setting.value`. Refuses unknown variables, and $ncpus and $mb_memory, because a result would depend on
// the machine that computes it.
void expand_variables(Setting& setting, const JobContext& context);

}  // namespace ftlab
