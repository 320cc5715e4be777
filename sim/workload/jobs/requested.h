// What a job wants to be reported, besides what every job reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/core/types.h"

namespace ftlab {

// unified_rw_reporting: directions apart, added up, or both.
enum class Unified : std::uint8_t { apart, mixed, both };

struct ReportOptions {
  bool reported = true;                      // stats: else the job runs and is left out of the report
  std::optional<std::string> histogram_log;  // file prefix
  Nanoseconds histogram_interval{0};         // log_hist_msec; 0: no rows, as with fio
  std::uint32_t histogram_coarseness = 0;    // 2^this bins are added up in one column
  bool log_largest = false;                  // log_max_value: of a window the largest, not the mean
  bool log_offset = false;
  bool log_priority = false;                  // as four hexadecimal digits; there are no priorities here
  bool logs_by_job = true;                    // per_job_logs: else one file for all jobs
  Nanoseconds bandwidth_window{500'000'000};  // bwavgtime
  Nanoseconds iops_window{500'000'000};
  Unified unified = Unified::apart;
};

}  // namespace ftlab
