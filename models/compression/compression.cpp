#include "models/compression/compression.h"

#include <algorithm>
#include <string>

#include "sim/config/keys.h"
#include "sim/core/types.h"

namespace ftlab {

std::uint32_t CompressionConfig::slots(std::uint32_t ideal_thousandths, std::uint32_t page_bytes) const {
  if (!on()) return 1;
  const std::uint64_t gone = std::uint64_t{1000 - ideal_thousandths} * efficiency_permille;  // in millionths
  const std::uint64_t left = (page_bytes * (1'000'000 - gone) + 999'999) / 1'000'000;
  const std::uint64_t stored = std::min<std::uint64_t>(left + header_bytes, page_bytes);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>((stored + slot_bytes - 1) / slot_bytes, 1));
}

CompressionConfig read_compression(Reader reader, std::uint32_t mapping_bytes) {
  CompressionConfig c;
  read_sourced(reader, "slot_bytes", c.slot_bytes, 16, mapping_bytes, "unit in which compressed pages are stored");
  if (mapping_bytes % c.slot_bytes != 0) {
    reader.refuse("slot_bytes", "must divide the mapping page", "divisors of " + std::to_string(mapping_bytes));
  }
  if (c.slot_bytes % kSectorBytes != 0 && kSectorBytes % c.slot_bytes != 0) {
    reader.refuse("slot_bytes", "must be a multiple of a sector or a divisor of one", "multiples and divisors of 512");
  }
  if (mapping_bytes / c.slot_bytes > kMostSlotsPerPage || mapping_bytes == c.slot_bytes) {
    reader.refuse("slot_bytes", "must be a part of the mapping page, but not less than a 255th",
                  std::to_string((mapping_bytes + kMostSlotsPerPage - 1) / kMostSlotsPerPage) + " to " +
                      std::to_string(mapping_bytes / 2));
  }
  read_sourced(reader, "header_bytes", c.header_bytes, 0, mapping_bytes / 2, "bytes stored beside each compressed page");
  read_sourced(reader, "efficiency_permille", c.efficiency_permille, 1, 1000, "share of an ideal compressor's saving");
  reader.finish();
  return c;
}

}  // namespace ftlab
