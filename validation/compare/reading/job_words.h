// What the options of a job, as a result repeats them in words, say of its workload.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/workload/jobs/ini.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

// Options in falling order of effect: the job's own before the global ones, of both the last one first.
using JobWords = std::vector<Setting>;

// Of one direction: block sizes may differ by direction. fio's defaults hold for what is not said. Throws ConfigError.
Workload workload_of(const JobWords& words, Direction direction);

// fio's shortest name for a kind of access: "readwrite:8" is "rw:8".
std::string access_name(const std::string& rw);

// Whether fio ran the job through the page cache, as it does unless told otherwise.
bool is_buffered(const JobWords& words);

// Whether the job's access moves data in that direction.
bool goes(const JobWords& words, Direction direction);

}  // namespace ftlab
