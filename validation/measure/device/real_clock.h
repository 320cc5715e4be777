// Real time: nanoseconds of CLOCK_MONOTONIC since construction.
#pragma once

#include <chrono>

#include "sim/core/types.h"

namespace ftlab {

class RealClock {
 public:
  Nanoseconds now() const { return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now() - start_); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace ftlab
