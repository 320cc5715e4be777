// For tests that change bytes of a saved state and want to know what else finds it out.
#pragma once

#include <cstring>

#include "sim/archive.h"

namespace ftlab::testing {

// Writes the checksum of all before it at the end, whatever stands there.
inline void seal(char* archive, std::size_t size) {
  std::uint64_t value = 0;
  ArchiveChecksum sum;
  sum.add(archive, size - sizeof value);
  value = sum.value();
  std::memcpy(archive + size - sizeof value, &value, sizeof value);
}

}  // namespace ftlab::testing
