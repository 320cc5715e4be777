// Preconditions a simulated SSD: `ftlab run --precondition`. A new drive serves reads without flash accesses and has the
// write amplification of an empty drive.
#pragma once

#include <cstdint>
#include <string>

#include "sim/host/host.h"
#include "validation/run/simulated_device.h"

namespace ftlab {

// sequential: one sequential drive write. random: then two drive writes of random 4 KiB. steady: then random drive writes,
// at least three, until the write amplification of the last two differs by at most 1 %. trace: TraceRun::prefill().
enum class Precondition : std::uint8_t { none, sequential, random, steady, trace };

// Empty text: none. Throws ConfigError with the allowed names.
Precondition precondition_named(const std::string& name);

// Runs untimed, so it takes no simulated time. Returns a note for the result; empty for none. Throws ConfigError for a disk,
// Interrupted. REQUIRES: no request outstanding; the state is not trace.
std::string precondition(SimulatedDevice& device, Precondition state, const HostOptions& host);

}  // namespace ftlab
