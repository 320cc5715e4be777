// Everything kept of a run, as the texts of its files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/config/document.h"
#include "sim/stats/run_stats.h"
#include "sim/stats/steady_watch.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

struct ResultFile {
  std::string name;
  std::string text;
};

struct Result {
  std::vector<ResultFile> files;           // result.json first
  nlohmann::ordered_json ftlab;            // the key `ftlab` of result.json
  std::vector<std::string> failed_checks;  // violated conservation laws and invariants
  std::vector<Problem> problems;           // reasons why the figures are worthless or weak
  std::uint64_t failed_requests = 0;
};

// Measurements of the simulator itself: the only part of a result that differs between two equal runs.
struct Effort {
  std::uint64_t seed = 0;
  double wall_s = 0;
  std::uint64_t peak_rss_bytes = 0;
};

class Disk;
class Intervals;

// Report of a kind of workload about itself, under its own key in `ftlab`.
struct WorkloadReport {
  std::string key;  // empty: nothing
  nlohmann::ordered_json value;
  std::vector<std::string> failed_checks;  // added to those of the result
  const Intervals* intervals = nullptr;    // bounds that are added to the workload's figures
};

std::uint64_t peak_rss_bytes();
// Text of result.json: fio's report, and `ftlab` beside it.
std::string result_text(const RunStats& stats, const nlohmann::ordered_json& ftlab);

// `watch`: only for runs that continue until steady state is known.
Result make_result(const Drive& drive, const Node& document, const JobFile& jobs, const RunStats& stats,
                   const Effort& effort, const WorkloadReport& workload = {}, const SteadyWatch* watch = nullptr);
// Of a disk: `disk` instead of what only flash has (erases, endurance, free superblocks, mapping, spare space).
Result make_result(const Disk& disk, const Node& document, const JobFile& jobs, const RunStats& stats, const Effort& effort,
                   const WorkloadReport& workload = {}, const SteadyWatch* watch = nullptr);

// The result of a run on several drives: that of each drive, as if it had run alone, and their totals.

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
