#include "models/nand/array/geometry.h"

#include "sim/config/keys.h"

namespace ftlab {
Geometry read_geometry(Reader reader) {
  Geometry g;
  read_sourced(reader, "channels", g.channels, 1, 64, "channels");
  read_sourced(reader, "chips_per_channel", g.chips_per_channel, 1, 64, "chips on a channel");
  read_sourced(reader, "dies_per_chip", g.dies_per_chip, 1, 32, "dies of a chip");
  read_sourced(reader, "planes_per_die", g.planes_per_die, 1, 16, "planes of a die");
  read_sourced(reader, "blocks_per_plane", g.blocks_per_plane, 1, 1 << 20, "blocks of a plane");
  read_sourced(reader, "pages_per_block", g.pages_per_block, 1, 1 << 14, "pages of a block");
  read_sourced(reader, "page_bytes", g.page_bytes, kSectorBytes, 1 << 17, "payload of a NAND page");
  read_sourced(reader, "page_spare_bytes", g.page_spare_bytes, 0, 1 << 14, "spare bytes of a NAND page");
  read_sourced(reader, "codeword_bytes", g.codeword_bytes, kSectorBytes, 1 << 17, "payload of an ECC codeword");
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
