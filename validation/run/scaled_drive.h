// Smaller drives of the same make, for simulations that need not last as long: what they answer at once is the same. Both
// throw ConfigError when a number of the drive is missing, or less than the scale.
#pragma once

#include <cstdint>

#include "sim/config/document.h"

namespace ftlab {

// As many dies and channels, blocks_per_plane and user_sectors divided by `scale`. Fewer superblocks hold the same share of
// spare space, but water marks that are numbers of superblocks are a larger share of it.
Node with_fewer_blocks(const Node& drive, std::uint64_t scale);

// As many dies, channels and superblocks; pages_per_block, erase_ns, user_sectors and the map's memory divided by `scale`:
// blocks of a part of the pages, which erase in that part of the time. Whatever depends on how often the drive was
// overwritten comes about so many times sooner.
Node with_smaller_blocks(const Node& drive, std::uint64_t scale);

}  // namespace ftlab
