// Data reduction in the drive, as SandForce's controllers did it: a mapping page is stored in as few slots as its content
// needs, and slots are packed one behind the other into the pages of the flash. What is not compressible is stored as it is.
//
// The content of a write is known by the share that an ideal compressor would leave of it (sim/request.h), which is the same
// for all mapping pages of one request. A real compressor reaches a part of that, adds a header, and rounds up to slots.
// Not modelled: the time of compressing, which is that of the data path. Repeated data are a matter of models/compression.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"

namespace ftlab {

struct CompressionConfig {
  std::uint32_t slot_bytes = 0;              // 0: the drive stores everything as it is
  std::uint32_t header_bytes = 0;            // stored with what was compressed: its length, its own checksum
  std::uint32_t efficiency_permille = 1000;  // of what an ideal compressor takes away, this drive's takes so much

  bool on() const { return slot_bytes > 0; }
  // Slots that a mapping page of `page_bytes` takes when an ideal compressor leaves so much of it: 1 to page_bytes /
  // slot_bytes; 1 on a drive that does not compress. REQUIRES: ideal_thousandths <= 1000.
  std::uint32_t slots(std::uint32_t ideal_thousandths, std::uint32_t page_bytes) const;
};

inline constexpr std::uint32_t kMostSlotsPerPage = 255;

// Reads the object `compression` of a drive file. Throws ConfigError.
CompressionConfig read_compression(Reader reader, std::uint32_t mapping_bytes);

}  // namespace ftlab
