#include "models/nand/array/geometry.h"

#include "sim/core/types.h"

namespace ftlab {
namespace {

std::uint32_t small(Reader& reader, const char* key, std::uint64_t low, std::uint64_t high) {
  return static_cast<std::uint32_t>(reader.sourced(key, low, high).value);
}

}  // namespace

Geometry read_geometry(Reader reader) {
  Geometry g;
  g.channels = small(reader, "channels", 1, 64);
  g.chips_per_channel = small(reader, "chips_per_channel", 1, 64);
  g.dies_per_chip = small(reader, "dies_per_chip", 1, 32);
  g.planes_per_die = small(reader, "planes_per_die", 1, 16);
  g.blocks_per_plane = small(reader, "blocks_per_plane", 1, 1 << 20);
  g.pages_per_block = small(reader, "pages_per_block", 1, 1 << 14);
  g.page_bytes = small(reader, "page_bytes", kSectorBytes, 1 << 17);
  g.page_spare_bytes = small(reader, "page_spare_bytes", 0, 1 << 14);
  g.codeword_bytes = small(reader, "codeword_bytes", kSectorBytes, 1 << 17);
  if (g.page_bytes % kSectorBytes != 0) reader.refuse("page_bytes", "must be a multiple of 512");
  if (g.page_bytes % g.codeword_bytes != 0) {
    reader.refuse("codeword_bytes", "must divide page_bytes (" + std::to_string(g.page_bytes) + ")");
  }
  // Page numbers have 32 bits, enough for 8 TiB of 4 KiB pages.
  if (g.pages() >= 0xffff'ffff) {
    reader.refuse("blocks_per_plane", "gives " + std::to_string(g.pages()) + " pages in all", "fewer than 4294967295 pages");
  }
  reader.finish();
  return g;
}

}  // namespace ftlab
