// fio's `rw`.
#pragma once

#include "sim/workload/jobs/ini.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Parses "randrw", "randread:8", "write:-8k".
Pattern parse_pattern(const Setting& setting, std::uint64_t kilo);

}  // namespace ftlab
