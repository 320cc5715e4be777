// A flash operation as requested, and when it was executed: the content of a recorded run.
#pragma once

#include <cstdint>

#include "models/nand/array/layout.h"
#include "sim/core/types.h"

namespace ftlab {

struct FlashOperation {
  enum class Kind : std::uint8_t { read, read_internally, program, erase };

  Kind kind = Kind::read;
  Die die{};
  Nanoseconds ready{0};  // time of the request
  FlashPage page = {};
  std::uint32_t bytes = 0;     // reads: payload that crosses the channel
  std::uint32_t planes = 1;    // programs only
  std::uint32_t frontier = 0;  // programs only
  bool in_register = false;    // programs only: just the command crosses the channel
};

struct TimedOperation {
  FlashOperation asked;
  Nanoseconds start{0};  // start of the array time; programs without cache_program: of the transfer
  Nanoseconds done{0};   // reads: when the data are in the controller
};

}  // namespace ftlab
