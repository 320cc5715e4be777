#include "models/compression/deduplication.h"

#include <string>

#include "sim/config/keys.h"

namespace ftlab {

DeduplicationConfig read_deduplication(Reader reader) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  DeduplicationConfig d;
  read_sourced(reader, "entry_bytes", d.entry_bytes, 1, 4096, "RAM of one fingerprint");
  read_sourced(reader, "ram_bytes", d.ram_bytes, 1, std::uint64_t{1} << 40, "RAM of the fingerprint table");
  if (d.ram_bytes < d.entry_bytes) {
    reader.refuse("ram_bytes", "has no room for one entry", "at least entry_bytes (" + std::to_string(d.entry_bytes) + ")");
  }
  read_sourced(reader, "fingerprint_ns", d.fingerprint, 0, kSecond, "hash time of a page");
  read_sourced(reader, "look_up_ns", d.look_up, 0, kSecond, "firmware time of a look-up");
  reader.finish();
  return d;
}

}  // namespace ftlab
