// What the memory of this machine allows: the least that a translation layer has to touch, and nothing else done.
#pragma once

#include <cstdint>

namespace ftlab {

// Nanoseconds for moving one page on a drive of so many: an entry of the map at random, asked for 64 moves ahead, and the
// page's record of its logical number, in order.
double bare_move_ns(std::uint64_t pages);

// Nanoseconds for one entry at random of a table of `entries` numbers of `bytes` bytes (2 or 4), read and written, asked for
// 64 ahead: what a host write costs a layer that keeps survivors where they are.
double bare_update_ns(std::uint64_t entries, std::uint32_t bytes);

}  // namespace ftlab
