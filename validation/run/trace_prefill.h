// Restores the data that a trace expects: pages that it reads before writing them were written before the recording.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "sim/traces/address_map.h"
#include "sim/traces/trace.h"
#include "validation/run/simulated_device.h"

namespace ftlab {

// For each 4 KiB page of the drive, after address mapping: true if a read touches it before any write. Reads the whole
// trace; uses two bits per page.
std::vector<bool> pages_read_first(const TraceOptions& trace, AddressMap addresses, std::uint64_t capacity_bytes);

// Writes those pages in order, in requests of up to 1 MiB, untimed. Returns a note about the amount. Throws ConfigError for
// a disk, Interrupted. REQUIRES: no request outstanding.
std::string prefill_for_trace(SimulatedDevice& device, const TraceOptions& trace, const AddressMap& addresses,
                              std::uint64_t capacity_bytes, const std::atomic<bool>* interrupted);

}  // namespace ftlab
