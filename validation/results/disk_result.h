// Everything kept of a run on a simulated disk, as the texts of its files. Like an SSD's result, but with `disk` instead of
// the parts that only flash has (erases, endurance, free superblocks, mapping, spare space).
#pragma once

#include "models/hdd/disk.h"
#include "validation/results/result.h"

namespace ftlab {

Result make_result(const Disk& disk, const Node& document, const JobFile& jobs, const RunStats& stats, const Effort& effort,
                   const WorkloadReport& workload = {}, const SteadyWatch* watch = nullptr);

}  // namespace ftlab
