// The state of a simulated SSD before a run: `ftlab run --precondition`. A new drive answers reads from no flash and has the
// write amplification of an empty one.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "validation/run/simulated_device.h"

namespace ftlab {

// sequential: all of the user space written once in order. random: then twice over, 4 KiB at random. steady: at random until
// the write amplification of a drive write differs from the one before it by 1 % at most, three times at least. trace: what
// TraceRun::prefill() does.
enum class Precondition : std::uint8_t { none, sequential, random, steady, trace };

// Empty text: none. Throws ConfigError with the names.
Precondition precondition_named(const std::string& name);

// Without a clock, so it takes no simulated time. Returns a sentence about what was done, for the notes of the result; empty
// for none. Throws ConfigError for a disk, Interrupted. REQUIRES: no request outstanding; the state is not trace.
std::string precondition(SimulatedDevice& device, Precondition state, std::uint64_t seed,
                         const std::atomic<bool>* interrupted);

}  // namespace ftlab
