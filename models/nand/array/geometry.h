// Flash geometry: channels carry chips, chips hold dies, dies hold planes, planes hold blocks, blocks hold pages. The pages
// of a block are programmed in order, once between erases.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"

namespace ftlab {

struct Geometry {
  std::uint32_t channels = 1;
  std::uint32_t chips_per_channel = 1;
  std::uint32_t dies_per_chip = 1;
  std::uint32_t planes_per_die = 1;
  std::uint32_t blocks_per_plane = 1;
  std::uint32_t pages_per_block = 1;
  std::uint32_t page_bytes = 4096;     // payload
  std::uint32_t page_spare_bytes = 0;  // transferred with the payload: ECC and page metadata
  std::uint32_t codeword_bytes = 512;  // smallest payload that ECC corrects, hence that is transferred, by itself

  std::uint32_t dies() const { return channels * chips_per_channel * dies_per_chip; }
  std::uint64_t blocks() const { return std::uint64_t{dies()} * planes_per_die * blocks_per_plane; }
  std::uint64_t pages() const { return blocks() * pages_per_block; }
  std::uint64_t bytes() const { return pages() * page_bytes; }

  // Dies are numbered across the channels first, so consecutive dies are on different channels if there are several.
  std::uint32_t channel_of(std::uint32_t die) const { return die % channels; }
};

// Bits of a codeword in the flash, including its share of the spare bytes.
inline std::uint32_t codeword_bits(const Geometry& geometry) {
  return static_cast<std::uint32_t>(std::uint64_t{geometry.codeword_bytes} * 8 *
                                    (geometry.page_bytes + geometry.page_spare_bytes) / geometry.page_bytes);
}

// Reads the object `geometry` of a drive file. Throws ConfigError.
Geometry read_geometry(Reader reader);

}  // namespace ftlab
