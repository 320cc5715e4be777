// Stopwatches for benchmarks.
#pragma once

#include <chrono>
#include <ctime>

namespace ftlab {

// CPU seconds of this process since construction. Other users of the machine disturb it less than wall-clock time.
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

// Wall-clock seconds, for work that waits for a disk or runs in several processes.
class WallWatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace ftlab
