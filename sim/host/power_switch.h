// How a run cuts the power of its device, at moments that a trace has recorded. A device that can lose its power amid what
// it does stands behind these calls.
#pragma once

#include <cstdint>

#include "sim/core/types.h"

namespace ftlab {

class RequestTracker;

class PowerSwitch {
 public:
  virtual ~PowerSwitch() = default;

  // From now on it is known what the flash is at, up to the next cut. REQUIRES: nothing is outstanding.
  virtual void watch_flash() = 0;
  // The power fails at `at`. What is outstanding is never answered; the tracker is told when it would have been. `fates`:
  // seed of what becomes of the operations that are under way. Returns when the device takes requests again. REQUIRES:
  // everything until `at` is settled.
  virtual Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates) = 0;
  // A request came while the power was away, or while the host waited to watch the flash, and is issued now.
  virtual void held_up() = 0;
};

}  // namespace ftlab
