// fio's `ioengine`: which of them stand for block requests that a simulated drive can carry out.
#pragma once

#include "sim/workload/jobs/ini.h"

namespace ftlab {

// How an engine issues its requests, whatever the options of the job say.
struct EngineTraits {
  bool synchronous = true;           // one request at a time, whatever iodepth is
  bool bypasses_page_cache = false;  // passes commands to the drive: direct, whatever direct and buffered are
};
inline constexpr EngineTraits kDefaultEngine{true, false};  // psync

// The traits of the engine that is named, by itself or by the path of its plug-in. Refuses, with the reason, engines that do
// something other than block requests.
EngineTraits engine_traits(const Setting& setting);

}  // namespace ftlab
