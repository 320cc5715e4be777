#include "models/compression/deduplication.h"

#include <string>

namespace ftlab {

DeduplicationConfig read_deduplication(Reader reader) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  DeduplicationConfig d;
  d.entry_bytes = static_cast<std::uint32_t>(reader.sourced("entry_bytes", 1, 4096).value);
  d.ram_bytes = reader.sourced("ram_bytes", 1, std::uint64_t{1} << 40).value;
  if (d.ram_bytes < d.entry_bytes) {
    reader.refuse("ram_bytes", "has no room for one entry", "at least entry_bytes (" + std::to_string(d.entry_bytes) + ")");
  }
  d.fingerprint = Nanoseconds{reader.sourced("fingerprint_ns", 0, kSecond).value};
  d.look_up = Nanoseconds{reader.sourced("look_up_ns", 0, kSecond).value};
  reader.finish();
  return d;
}

}  // namespace ftlab
