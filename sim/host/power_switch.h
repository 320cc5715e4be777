// Cuts the power of a device at the times recorded in a trace. Implemented by devices that can lose power during operations.
#pragma once

#include <cstdint>

#include "sim/core/types.h"

namespace ftlab {

class RequestTracker;

class PowerSwitch {
 public:
  virtual ~PowerSwitch() = default;

  // Starts tracking flash operations, until the next cut. REQUIRES: nothing is outstanding.
  virtual void watch_flash() = 0;
  // Cuts the power at `at`. Outstanding requests are never answered; the tracker settles them at the times at which they
  // would have completed. `fates`: seed for the outcomes of flash operations in flight. Returns the time at which the device
  // accepts requests again. REQUIRES: everything up to `at` is settled.
  virtual Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates) = 0;
  // Called when a request is issued late: it arrived while the power was off, or the host waited to watch the flash.
  virtual void held_up() = 0;
};

}  // namespace ftlab
