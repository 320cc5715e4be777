// Over-provisioning that a drive has on paper but cannot use.
#pragma once

#include <string>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// Returns a sentence if less than half of the over-provisioning holds data during GC, because free and open superblocks take
// the rest: how much is left, and the write amplification that follows by theory. Empty otherwise, and for designs that the
// formula does not cover (log blocks, several pools, compression, deduplication).
std::string spare_note(const DriveConfig& config);

}  // namespace ftlab
