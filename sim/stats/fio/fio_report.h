// Results in the shape of fio's own files, so that fio_jsonplus_clat2csv, fio-plot, pandas and a user's
// scripts read them: the json+ document and the bandwidth, IOPS and latency logs. Field by field as fio 3.33
// writes them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/stats/run_stats.h"

namespace ftlab {

// The top-level object of --output-format=json+ with "fio version", "global options", "jobs" and "disk_util"
// (empty). Jobs that share a report group are merged into one entry under the first one's name. Host CPU
// figures are 0: the model has no host CPU. "timestamp" is 0: results carry no wall clock, so that the same
// run gives the same bytes. Submission latency is 0. "error" is 5 (EIO) when requests failed, or what ended the job early.
// Rates are exact over nanoseconds; fio's own divide by whole milliseconds. Text that is not UTF-8 is
// replaced.
nlohmann::ordered_json fio_json(const RunStats& run);

// Log files of all jobs, as (file name, content): PREFIX_bw.N.log, PREFIX_iops.N.log, PREFIX_lat.N.log,
// _slat, _clat, _clat_hist, N being the job's 1-based number, which per_job_logs=0 leaves out. A line is "time_ms, value,
// direction, block_bytes, priority", with the offset before the priority when the job says log_offset=1: fio's own rule.
struct LogFile {
  std::string name;
  std::string text;
};
std::vector<LogFile> fio_logs(const RunStats& run);

// series.csv: one line for each interval, units in the column names (MB is 10^6 bytes); empty intervals are
// written too. wa is media bytes written over host bytes written within the interval, wa_cumulative since the
// run began; cells of what did not happen are empty. All digits come from integer arithmetic.
std::string series_csv(const RunStats& run);

// The same while the run goes on: the line of the names, then a line for each interval as it ends. A real device counts
// only what the host asked for; the cells of everything else are empty then.
class SeriesLines {
 public:
  SeriesLines(const Counters& at_start, bool counts_media) : start_(at_start), before_(at_start), media_(counts_media) {}
  static std::string names();
  std::string line(const SeriesRow& row);

 private:
  Counters start_, before_;
  bool media_;
};

}  // namespace ftlab
