// Costs of deduplication in the controller: a table in RAM of known stored contents, the time to hash each mapping page that
// the host writes completely, and the firmware time to look it up.
//
// A dedicated engine next to the data path hashes one page at a time, in the order in which data arrive, as in Gupta et al.,
// "Leveraging value locality in optimizing NAND flash-based SSDs" (CA-SSD, FAST 2011). A hash by the firmware can be stated
// as controller.write_page_ns; sampling and hashing in two steps, as in Chen, Luo and Zhang, "CAFTL" (FAST 2011), are not
// modelled. A write is complete when the drive knows where its content is.
//
// Not modelled: the table's share of the DRAM's bandwidth, tables kept in flash, contents that are hashed later in idle
// time, hash collisions.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

struct DeduplicationConfig {
  std::uint64_t ram_bytes = 0;    // for the table; 0: no deduplication
  std::uint32_t entry_bytes = 0;  // per content: its hash, its location, its place in the order of age
  Nanoseconds fingerprint{0};     // hash time of a mapping page
  Nanoseconds look_up{0};         // firmware time of one core per page looked up

  bool on() const { return ram_bytes > 0; }
  // Number of contents that fit in the table. REQUIRES: on().
  std::uint64_t entries() const { return ram_bytes / entry_bytes; }
};

// Reads the object `deduplication` of a drive file. Throws ConfigError.
DeduplicationConfig read_deduplication(Reader reader);

}  // namespace ftlab
