// What a trace finds on its drive: pages that it reads without having written them were written before the recording began.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "sim/traces/address_map.h"
#include "sim/traces/trace.h"
#include "validation/run/simulated_device.h"

namespace ftlab {

// By page of 4 KiB of the drive, where the addresses of the trace come to lie: whether a read touches it before any write.
// Reads the whole trace; memory: two bits a page.
std::vector<bool> pages_read_first(const TraceOptions& trace, AddressMap addresses, std::uint64_t capacity_bytes);

// Writes those pages, in order, in requests of up to 1 MiB, without a clock. Returns a sentence about what was written.
// Throws ConfigError for a disk, Interrupted. REQUIRES: no request outstanding.
std::string prefill_for_trace(SimulatedDevice& device, const TraceOptions& trace, const AddressMap& addresses,
                              std::uint64_t capacity_bytes, const std::atomic<bool>* interrupted);

}  // namespace ftlab
