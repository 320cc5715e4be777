// What a piece of work needs at most, found in a process of its own.
#pragma once

#include <cstdint>
#include <functional>

namespace ftlab {

struct ChildRun {
  double value = 0;  // what the work returned
  std::uint64_t peak_bytes = 0;
};

// Runs the work in a forked process and returns what it came to. REQUIRES: no other thread runs.
ChildRun run_in_child(const std::function<double()>& work);

// So many at once. Returns the seconds by the clock until the last has ended.
double run_at_once(unsigned copies, const std::function<double()>& work);

}  // namespace ftlab
