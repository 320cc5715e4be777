// Time for benchmarks.
#pragma once

#include <chrono>
#include <ctime>

namespace ftlab {

// Seconds of CPU of this process since it was made: what the other users of a machine do to a run shows less in them than
// in the time by the clock.
class CpuWatch {
 public:
  double seconds() const { return now() - began_; }

 private:
  static double now() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  }
  double began_ = now();
};

// Seconds by the clock, for what waits for a disk or runs beside something else.
class WallWatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace ftlab
