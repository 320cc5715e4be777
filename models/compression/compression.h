// Compression in the drive, as in SandForce's controllers: a mapping page is stored in as few slots as its content needs,
// and slots are packed consecutively into flash pages. Incompressible content is stored as it is.
//
// The content of a write is described by the share that an ideal compressor would leave of it (sim/request.h), the same for
// all mapping pages of a request. A real compressor saves only part of that, adds a header, and rounds up to slots.
// Not modelled: compression time other than that of the data path. Repeated data: deduplication.h.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"

namespace ftlab {

struct CompressionConfig {
  std::uint32_t slot_bytes = 0;              // 0: no compression
  std::uint32_t header_bytes = 0;            // stored with compressed content: length, checksum
  std::uint32_t efficiency_permille = 1000;  // savings relative to an ideal compressor

  bool on() const { return slot_bytes > 0; }
  // Slots that a mapping page of `page_bytes` takes if an ideal compressor leaves `ideal_thousandths` of it: 1 to page_bytes
  // / slot_bytes; 1 on a drive that does not compress. REQUIRES: ideal_thousandths <= 1000.
  std::uint32_t slots(std::uint32_t ideal_thousandths, std::uint32_t page_bytes) const;
};

inline constexpr std::uint32_t kMostSlotsPerPage = 255;

// Reads the object `compression` of a drive file. Throws ConfigError.
CompressionConfig read_compression(Reader reader, std::uint32_t mapping_bytes);

}  // namespace ftlab
