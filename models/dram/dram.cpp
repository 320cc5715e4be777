#include "models/dram/dram.h"

namespace ftlab {

DramConfig read_dram(Reader reader) {
  DramConfig dram;
  dram.bytes_per_s = reader.sourced("bytes_per_s", 1'000'000, 1'000'000'000'000).value;
  dram.reads_bypass = reader.boolean_or("reads_bypass", false);
  reader.finish();
  return dram;
}

}  // namespace ftlab
