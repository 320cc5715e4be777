// Shrinks a job file for a large drive to fit a smaller one. Only on request, because the workload changes.
#pragma once

#include "sim/workload/options/settings.h"

namespace ftlab {

// Divides sizes and offsets in bytes by `divisor`, rounded down to whole blocks, at least one block; percentages are kept.
// Amounts, files, zones and steps between clones keep their proportions. REQUIRES: block sizes are settled.
void shrink_sizes(Settings& settings, std::uint64_t divisor);

}  // namespace ftlab
