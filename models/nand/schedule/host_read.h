// A host read that has ended: its data are in the controller at `done`.
#pragma once

#include <cstdint>

#include "sim/core/types.h"

namespace ftlab {

struct HostRead {
  std::uint32_t tag;  // the record's target
  Nanoseconds array_start, array_end, bus_start, done;
  Nanoseconds repeats;  // part of the array time that retries took
  bool from_memory;     // served from the controller's memory: the program of its page had not ended
};

}  // namespace ftlab
