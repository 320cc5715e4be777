// Scaled-down drives for shorter simulations with the same response to single requests. Both functions throw ConfigError if
// a number of the drive is missing or less than the scale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// Same dies and channels; blocks_per_plane and user_sectors divided by `scale`. Over-provisioning stays the same, but GC
// watermarks in superblocks become a larger share of it.
Node with_fewer_blocks(const Node& drive, std::uint64_t scale);

// Same dies, channels and superblocks; pages_per_block, erase_ns, user_sectors and mapping memory divided by `scale`. Blocks
// have fewer pages and erase proportionally faster. Effects of overwriting the drive appear `scale` times sooner.
Node with_smaller_blocks(const Node& drive, std::uint64_t scale);

// Applies a user's KEY=VALUE settings and updates the name if the capacity changed. `over_provisioning=SHARE` is a setting
// but not a key of drive files: it sets user_sectors to physical / (1 + share). Throws ConfigError.
void set_drive_keys(Node& drive, const std::vector<std::string>& settings);
// The same without a change of the name, for new drive files.
void set_keys_of_new_drive(Node& drive, const std::vector<std::string>& settings);

}  // namespace ftlab
