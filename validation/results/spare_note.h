// Over-provisioning that a drive has on paper but cannot use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// Returns a sentence if less than half of the over-provisioning holds data during GC, because free and open superblocks take
// the rest: how much is left, and the write amplification that follows by theory. Empty otherwise, and for designs that the
// formula does not cover (log blocks, several pools, compression, deduplication).
std::string spare_note(const DriveConfig& config);

// Bytes that hold data or are spare: the flash as built without parity.
std::uint64_t data_bytes(const DriveConfig& config);

// Write amplification of uniform random writes over the whole drive in the steady state, by the formula for greedy collection:
// host and relocated data over host data, without parity. Parity and the superblocks that are free or open during collection
// do not count as spare. Returns nothing for designs that the formula does not cover, or if no spare is left.
std::optional<double> random_write_amplification(const DriveConfig& config);

}  // namespace ftlab
