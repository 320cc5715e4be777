// Everything that is kept of a run on a simulated disk, as the texts of its files. The shape of an SSD's result, without
// what only flash has (erases, endurance, free superblocks, mapping, spare space) and with `disk` in its place.
#pragma once

#include "models/hdd/disk.h"
#include "validation/results/result.h"

namespace ftlab {

Result make_result(const Disk& disk, const Node& document, const JobFile& jobs, const RunStats& stats, const Effort& effort,
                   const WorkloadReport& workload = {}, const SteadyWatch* watch = nullptr);

}  // namespace ftlab
