// A job file for a large drive, made small enough for another: on request only, for it is another workload then.
#pragma once

#include "sim/workload/options/settings.h"

namespace ftlab {

// Divides sizes and offsets in bytes by `divisor`, rounded down to whole blocks, one block at least; what is given in
// percent stays. Amounts, files, zones and steps between clones keep their proportions. REQUIRES: block sizes are settled.
void shrink_sizes(Settings& settings, std::uint64_t divisor);

}  // namespace ftlab
