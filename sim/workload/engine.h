// fio's `ioengine`: which of them stand for block requests that a simulated drive can carry out.
#pragma once

#include "sim/workload/jobs/ini.h"

namespace ftlab {

// True when the engine issues one request at a time, whatever iodepth says. Refuses, with the reason, engines that do
// something other than direct block requests.
bool engine_is_synchronous(const Setting& setting);

}  // namespace ftlab
