#include "models/dram/dram.h"

#include "sim/config/keys.h"

namespace ftlab {
DramConfig read_dram(Reader reader) {
  DramConfig dram;
  read_sourced(reader, "bytes_per_s", dram.bytes_per_s, 1'000'000, 1'000'000'000'000, "rate of the memory port");
  read_boolean_or(reader, "reads_bypass", dram.reads_bypass, "data of reads do not cross the memory");
  reader.finish();
  return dram;
}

}  // namespace ftlab
