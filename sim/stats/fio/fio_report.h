// Results in the formats of fio's own files, so that fio_jsonplus_clat2csv, fio-plot, pandas and user scripts can read them:
// the json+ document and the bandwidth, IOPS and latency logs. Every field is as fio 3.33 writes it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/stats/run_stats.h"

namespace ftlab {

// The top-level object of --output-format=json+ with "fio version", "global options", "jobs" and "disk_util" (empty). Jobs
// that share a report group are merged into one entry under the name of the first. Host CPU figures are 0: the model has no
// host CPU. "timestamp" is 0: results contain no wall-clock time, so that the same run gives the same bytes. Submission
// latency is 0. "error" is 5 (EIO) if requests failed, or the error that ended the job early. Rates are exact over
// nanoseconds; fio's own divide by whole milliseconds. Text that is not UTF-8 is replaced.
nlohmann::ordered_json fio_json(const RunStats& run);

// Log files of all jobs, as (file name, content): PREFIX_bw.N.log, PREFIX_iops.N.log, PREFIX_lat.N.log, _slat, _clat,
// _clat_hist. N is the job's 1-based number, omitted with per_job_logs=0. A line is "time_ms, value, direction, block_bytes,
// priority"; with log_offset=1 the offset comes before the priority, as in fio.
struct LogFile {
  std::string name;
  std::string text;
};
std::vector<LogFile> fio_logs(const RunStats& run);

// series.csv: one line per interval, including empty ones, with units in the column names (MB is 10^6 bytes). wa is media
// bytes written over host bytes written within the interval, wa_cumulative since the run began; cells without data are
// empty. All digits come from integer arithmetic.
std::string series_csv(const RunStats& run);

// Writes series.csv during the run: the line of the names, then a line for each interval as it ends. A real device counts
// only host requests; all other cells are empty then.
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
