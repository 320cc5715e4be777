// What is written into every sector so that a later read can tell where it comes from: its place on the device, the number
// of the write, the run, the length of the whole write, and a checksum over the sector. A mark at the front and one at the
// back tell a sector of which a part is missing from one that was never ours, if 32 bytes are left of the front or 8 of the
// back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/content_log.h"
#include "sim/core/types.h"

namespace ftlab {

struct Stamp {
  std::uint64_t offset_bytes = 0;  // of the sector on the device
  std::uint64_t version = 0;       // sectors written in the run until then, this one included
  std::uint64_t run = 0;           // drawn for the run
  std::uint32_t length_bytes = 0;  // of the write that it was a part of
};

inline constexpr std::size_t kStampBytes = 48;     // at the front of a sector
inline constexpr std::size_t kStampTailBytes = 8;  // at its back

// REQUIRES: one sector, whose bytes between front and back are final.
void write_stamp(std::span<std::byte, kSectorBytes> sector, const Stamp& stamp);

struct SectorRead {
  ContentLog::Found found = ContentLog::Found::foreign;
  Stamp stamp;  // as read, when `found` is whole or misplaced
};
// What a sector that was read at `offset_bytes` holds, for a run.
SectorRead read_stamp(std::span<const std::byte, kSectorBytes> sector, std::uint64_t offset_bytes, std::uint64_t run);

}  // namespace ftlab
