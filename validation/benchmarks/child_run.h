// Runs work in child processes and measures its time and peak memory.
#pragma once

#include <cstdint>
#include <functional>

namespace ftlab {

struct ChildRun {
  double value = 0;  // return value of the work
  std::uint64_t peak_bytes = 0;
};

// Runs the work in a forked process. REQUIRES: no other thread runs.
ChildRun run_in_child(const std::function<double()>& work);

// Runs `copies` processes of the work at once. Returns the wall-clock seconds until the last has ended.
double run_at_once(unsigned copies, const std::function<double()>& work);

}  // namespace ftlab
