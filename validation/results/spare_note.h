// Over-provisioning that a drive has on paper and cannot use.
#pragma once

#include <string>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// A sentence about a drive of which less than half of the over-provisioning holds data while it collects, since free and
// open superblocks take the rest: how much is left, and what that makes of write amplification by theory. Empty for others,
// and for designs that the sum does not describe (log blocks, several pools, compression, deduplication).
std::string spare_note(const DriveConfig& config);

}  // namespace ftlab
