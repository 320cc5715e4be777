// What operations on the flash cost in time: data-sheet numbers of the die and of the bus between die and controller.
#pragma once

#include <vector>

#include "sim/config/reader.h"
#include "sim/types.h"

namespace ftlab {

struct NandTiming {
  Nanoseconds read{0};                // tR: array to page register
  std::vector<Nanoseconds> program;   // tPROG by kind of page; page n of a block is of kind n % program.size():
                                      // SLC {t}, MLC {lower, upper}
  Nanoseconds erase{0};               // tBERS
  std::uint64_t bus_bytes_per_s = 1;  // of one channel
  Nanoseconds bus_command{0};         // command and address cycles, charged with the data of each operation
  bool cache_program = false;         // the next page is taken in while the array programs the last one
  bool cache_read = false;            // the array reads the next page while the last one is taken out
  Nanoseconds program_slc{0};         // tPROG of one bit a cell in an MLC block (pSLC); 0: not known
};

// Reads the object `nand` of a drive file. Throws ConfigError.
NandTiming read_nand_timing(Reader reader);

}  // namespace ftlab
