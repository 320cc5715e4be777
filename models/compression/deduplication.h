// What deduplication costs a controller: a table in its memory of the contents that it knows to be stored, the time of a
// hash over each mapping page that the host writes whole, and the firmware's time to look for it.
//
// The hash is made by an engine of its own beside the data path, one page at a time, in the order in which data arrive, as
// in Gupta et al., "Leveraging value locality in optimizing NAND flash-based SSDs" (CA-SSD, FAST 2011). A hash by the
// firmware can be stated as controller.write_page_ns; sampling and hashing in two steps, as in Chen, Luo and Zhang, "CAFTL"
// (FAST 2011), are not modelled. A write is complete when the drive knows where its content is.
//
// Not modelled: the table's share of the DRAM's bandwidth, tables that are kept in the flash, contents that are hashed later
// in idle time, equal hashes of different contents.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

struct DeduplicationConfig {
  std::uint64_t ram_bytes = 0;    // for the table; 0: the drive does not deduplicate
  std::uint32_t entry_bytes = 0;  // of one content in it: its hash, where it is, its place in the order of age
  Nanoseconds fingerprint{0};     // the hash of a mapping page
  Nanoseconds look_up{0};         // firmware time of a core for each page that is looked for

  bool on() const { return ram_bytes > 0; }
  // Contents that the table has room for. REQUIRES: on().
  std::uint64_t entries() const { return ram_bytes / entry_bytes; }
};

// Reads the object `deduplication` of a drive file. Throws ConfigError.
DeduplicationConfig read_deduplication(Reader reader);

}  // namespace ftlab
