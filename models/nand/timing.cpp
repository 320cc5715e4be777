#include "models/nand/timing.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

Nanoseconds time_of(Reader& reader, const char* key) { return Nanoseconds{reader.sourced(key, 1, kSecond).value}; }

}  // namespace

NandTiming read_nand_timing(Reader reader) {
  NandTiming t;
  t.read = time_of(reader, "read_ns");
  const std::size_t cell = reader.choice("cell", {"slc", "mlc"});
  if (cell == 0) {
    t.program = {time_of(reader, "program_ns")};
  } else {
    t.program = {time_of(reader, "program_lower_ns"), time_of(reader, "program_upper_ns")};
  }
  if (reader.has("program_slc_ns")) t.program_slc = time_of(reader, "program_slc_ns");
  t.erase = time_of(reader, "erase_ns");
  t.bus_bytes_per_s = reader.sourced("bus_bytes_per_s", 1'000'000, 10'000'000'000).value;
  t.bus_command = Nanoseconds{reader.sourced("bus_command_ns", 0, 1'000'000).value};
  t.cache_program = reader.boolean_or("cache_program", false);
  t.cache_read = reader.boolean_or("cache_read", false);
  reader.finish();
  return t;
}

}  // namespace ftlab
