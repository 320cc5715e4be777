// Derives a workload from the job options that a result repeats.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/workload/jobs/ini.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Options by falling priority: the job's own before the global ones, and the last of each first.
using JobWords = std::vector<Setting>;

// Workload of one direction; block sizes may differ by direction. Missing options have fio's defaults. Throws ConfigError.
Workload workload_of(const JobWords& words, Direction direction);

// fio's shortest name for a kind of access: "readwrite:8" is "rw:8".
std::string access_name(const std::string& rw);

// True if fio ran the job through the page cache, as it does by default.
bool is_buffered(const JobWords& words);

// True if the job's access moves data in that direction.
bool goes(const JobWords& words, Direction direction);

}  // namespace ftlab
