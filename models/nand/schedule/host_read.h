// A host read that has ended: its data are in the controller at `done`.
#pragma once

#include <cstdint>

#include "sim/core/types.h"

namespace ftlab {

struct HostRead {
  std::uint32_t tag;  // the record's target
  bool from_memory;   // served from the controller's memory: the program of its page had not ended
  // Moments of a read of the flash. No padding: archived.
  struct Times {
    Nanoseconds array_start{0}, array_end{0}, bus_start{0}, done{0};
    Nanoseconds repeats{0};  // part of the array time that retries took
  };
  Times times;
};

// Takes the host reads whose data arrive while the engine runs, at that moment; without a sink they are reported later.
class HostReadSink {
 public:
  // Returns the time up to which the engine may run before others act. REQUIRES: it requests no work.
  virtual Nanoseconds read_ended(const HostRead& read) = 0;

 protected:
  ~HostReadSink() = default;
};

}  // namespace ftlab
