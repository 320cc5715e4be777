// A read of the host that has ended: its data are in the controller at `done`.
#pragma once

#include <cstdint>

#include "sim/core/types.h"

namespace ftlab {

struct HostRead {
  std::uint32_t tag;  // the record's target
  Nanoseconds array_start, array_end, bus_start, done;
  Nanoseconds repeats;  // of the array's time, what went into reading again
  bool from_memory;     // of the controller: the program of its page had not ended
};

}  // namespace ftlab
