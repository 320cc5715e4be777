// An operation on the flash as it was asked for, and when it was carried out: what a recorded run consists of.
#pragma once

#include <cstdint>

#include "models/nand/array/layout.h"
#include "sim/core/types.h"

namespace ftlab {

struct FlashOperation {
  enum class Kind : std::uint8_t { read, read_internally, program, erase };

  Kind kind = Kind::read;
  Die die{};
  Nanoseconds ready{0};  // from when it could begin
  FlashPage page = {};
  std::uint32_t bytes = 0;     // of a read: payload that crosses the channel
  std::uint32_t planes = 1;    // of a program
  std::uint32_t frontier = 0;  // of a program
  bool in_register = false;    // of a program: nothing crosses the channel but the command
};

struct TimedOperation {
  FlashOperation asked;
  Nanoseconds start{0};  // of the array's work; of a program, of its transfer
  Nanoseconds done{0};   // of a read, when its data are in the controller
};

}  // namespace ftlab
