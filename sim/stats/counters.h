// What a device has done since power-on. Cumulative; statistics take differences. A device fills what it has.
#pragma once

#include <cstdint>

namespace ftlab {

struct Counters {
  std::uint64_t host_read_bytes = 0;
  std::uint64_t host_write_bytes = 0;
  std::uint64_t host_trim_bytes = 0;

  // Media programs by cause, in bytes of payload. Their sum is the numerator of write amplification.
  std::uint64_t media_host_bytes = 0;        // host data as the host sent it
  std::uint64_t media_fill_bytes = 0;        // the rest of a mapping unit rewritten with a smaller host write
  std::uint64_t media_relocation_bytes = 0;  // garbage collection
  std::uint64_t media_padding_bytes = 0;     // unused space programmed to complete a page (flush)

  std::uint64_t media_read_bytes = 0;
  std::uint64_t relocated_pages = 0;  // mapping units copied by garbage collection
  std::uint64_t collected_superblocks = 0;
  std::uint64_t block_erases = 0;     // blocks, not superblocks
  std::uint64_t media_operations = 0; // array reads, programs and erases, a multi-plane operation counted once
  std::uint64_t free_superblocks = 0; // a level, not a sum
  std::uint64_t unmapped_read_pages = 0;  // reads of space never written or trimmed: answered without touching flash

  std::uint64_t media_write_bytes() const {
    return media_host_bytes + media_fill_bytes + media_relocation_bytes + media_padding_bytes;
  }
};

}  // namespace ftlab
