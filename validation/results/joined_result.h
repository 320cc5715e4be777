// The result of a run on several drives: that of each drive, as if it had run alone, and their totals.
#pragma once

#include <string>
#include <vector>

#include "validation/results/result.h"

namespace ftlab {

// One drive of the run. REQUIRES: the jobs of `stats` outlive it.
struct DrivePart {
  std::string device;  // as the job file names it
  std::string folder;  // of its own result, within that of the run
  Result result;
  RunStats stats;
};

// Totals: counters are sums; rates are those of fio's groups, all bytes or requests over the longest job. Its only file is
// result.json: fio's report of all jobs, drive by drive, and `ftlab`. REQUIRES: at least one part.
Result join_results(const std::vector<DrivePart>& parts, const Effort& effort);

// For people: which drive stands for which device, the jobs, the totals. `out`: path of the result.
std::string joined_summary(const std::vector<DrivePart>& parts, const Result& joined, const std::string& out);

}  // namespace ftlab
