// fio's `ioengine`: which engines stand for block requests that a simulated drive can execute.
#pragma once

#include "sim/workload/jobs/ini.h"

namespace ftlab {

// How an engine issues requests, regardless of the job's other options.
struct EngineTraits {
  bool synchronous = true;           // one request at a time; iodepth is ignored
  bool bypasses_page_cache = false;  // passes commands to the drive: always direct; `direct` and `buffered` are ignored
  bool over_network = false;         // the device is an image that a cluster or another host serves
};
inline constexpr EngineTraits kDefaultEngine{true, false, false};  // fio's default, psync

// Traits of an engine given by name or by the path of its plug-in. Refuses engines that do not issue block requests, with
// the reason.
EngineTraits engine_traits(const Setting& setting);

}  // namespace ftlab
