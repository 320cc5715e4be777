// Stamp written into every sector, so that a later read can tell its origin: position on the device, version, run, length of
// the whole write, and a checksum over the sector. Marks at the front and at the back distinguish torn sectors from foreign
// ones, if 32 bytes of the front or 8 of the back are left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/content_log.h"
#include "sim/core/types.h"

namespace ftlab {

struct Stamp {
  std::uint64_t offset_bytes = 0;  // position of the sector on the device
  std::uint64_t version = 0;       // sectors written in the run so far, including this one
  std::uint64_t run = 0;           // random number of the run
  std::uint32_t length_bytes = 0;  // length of the whole write
};

inline constexpr std::size_t kStampBytes = 48;     // at the front of a sector
inline constexpr std::size_t kStampTailBytes = 8;  // at its back

// REQUIRES: the bytes between front and back are final.
void write_stamp(std::span<std::byte, kSectorBytes> sector, const Stamp& stamp);

struct SectorRead {
  ContentLog::Found found = ContentLog::Found::foreign;
  Stamp stamp;  // set if `found` is whole or misplaced
};
// Classifies a sector of the run `run` that was read at `offset_bytes`.
SectorRead read_stamp(std::span<const std::byte, kSectorBytes> sector, std::uint64_t offset_bytes, std::uint64_t run);

}  // namespace ftlab
