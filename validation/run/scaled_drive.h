// Smaller drives of the same make, for simulations that need not last as long: what they answer at once is the same. Both
// throw ConfigError when a number of the drive is missing, or less than the scale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// As many dies and channels, blocks_per_plane and user_sectors divided by `scale`. Fewer superblocks hold the same share of
// spare space, but water marks that are numbers of superblocks are a larger share of it.
Node with_fewer_blocks(const Node& drive, std::uint64_t scale);

// As many dies, channels and superblocks; pages_per_block, erase_ns, user_sectors and the map's memory divided by `scale`:
// blocks of a part of the pages, which erase in that part of the time. Whatever depends on how often the drive was
// overwritten comes about so many times sooner.
Node with_smaller_blocks(const Node& drive, std::uint64_t scale);

// What a drive file states as the user's space; nothing where it states none, or no number.
std::optional<std::uint64_t> user_bytes_of(const Node& drive);
// A drive that does not have the capacity of its make any more says so in its name, behind it: " (scaled to 168 MB)". The
// two above do this, and so does whoever sets a drive's capacity to another one.
void name_as_scaled(Node& drive);
// KEY=VALUE of a user, on a drive that is then named as scaled if it is. Throws ConfigError.
void set_drive_keys(Node& drive, const std::vector<std::string>& settings);

}  // namespace ftlab
