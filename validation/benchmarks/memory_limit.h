// Speed limit set by this machine's memory: only the memory accesses that an FTL cannot avoid, without any other work.
#pragma once

#include <cstdint>

namespace ftlab {

// Nanoseconds to read and write one random entry, prefetched 64 ahead, of a table of `entries` numbers of `bytes` bytes (2
// or 4): the cost of a host write to an FTL that leaves valid pages in place.
double bare_update_ns(std::uint64_t entries, std::uint32_t bytes);

}  // namespace ftlab
