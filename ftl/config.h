// The design of a translation layer, as a drive file states it.
#pragma once

#include <cstdint>

#include "models/nand/layout.h"
#include "sim/config/reader.h"

namespace ftlab {

struct GcConfig {
  std::size_t policy = 0;                  // index into gc_policy_kinds()
  std::uint32_t start_free = 1;            // collection begins when this many superblocks or fewer are free ...
  std::uint32_t stop_free = 2;             // ... and ends when this many are
  std::uint32_t pages_per_host_write = 0;  // relocated with each mapping page that the host writes, while collecting;
                                           // 0: nothing until the last reserve is reached, then at once (stop the world)
};

struct FtlConfig {
  std::uint32_t mapping_bytes = 4096;  // the mapping page: smaller host writes cost a read-modify-write
  SuperblockShape superblock;
  bool separate_relocation = true;     // relocated data get a frontier of their own
  GcConfig gc;
  std::uint32_t buffer_pages = 0;      // host data in RAM until programmed, in mapping pages
  std::uint32_t partial_pages = 0;     // of writes smaller than a mapping page, kept in RAM to be completed

  std::uint32_t frontiers() const { return separate_relocation ? 2 : 1; }
};

// Superblocks that must stay free for relocation: a victim's data go into at most one new superblock before the victim
// itself becomes free.
inline constexpr std::uint32_t kReserve = 1;

// Reads the object `ftl` of a drive file and checks it against the geometry and the user space: enough superblocks for
// the data, the frontiers and the reserve, with the arithmetic in the message. Throws ConfigError.
FtlConfig read_ftl(Reader reader, const Geometry& geometry, std::uint64_t user_bytes);

// The smallest number of superblocks with which a layer of this design always makes progress: all logical pages, one
// page more so that some superblock has a stale page, the open frontiers, the reserve.
std::uint64_t superblocks_needed(const FtlConfig& config, const Layout& layout, std::uint64_t logical_pages);

}  // namespace ftlab
