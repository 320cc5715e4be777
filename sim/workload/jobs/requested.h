// Options for the report of a job, in addition to what every job reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/core/types.h"

namespace ftlab {

// unified_rw_reporting: directions separate, summed, or both.
enum class Unified : std::uint8_t { apart, mixed, both };

struct ReportOptions {
  bool reported = true;                      // stats; false: the job runs, but is left out of the report
  std::optional<std::string> histogram_log;  // file prefix
  Nanoseconds histogram_interval{0};         // log_hist_msec; 0: no rows, as with fio
  std::uint32_t histogram_coarseness = 0;    // each column is the sum of 2^this bins
  bool log_largest = false;                  // log_max_value: the largest value of a window, not the mean
  bool log_offset = false;
  bool log_priority = false;                  // log_prio: as four hexadecimal digits; requests have no priorities here
  bool logs_by_job = true;                    // per_job_logs; false: one file for all jobs
  Nanoseconds bandwidth_window{500'000'000};  // bwavgtime
  Nanoseconds iops_window{500'000'000};
  Unified unified = Unified::apart;
};

}  // namespace ftlab
