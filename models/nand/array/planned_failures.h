// Operations that a test wants to fail, by their place in the order of all of their kind: the n-th program, erase or read.
#pragma once

#include <cstdint>

namespace ftlab {

// Two runs of neighbours, each from its first to its last; the first operation is 1. A run that begins with 0 is none.
struct PlannedFailures {
  std::uint64_t first = 0, last = 0;
  std::uint64_t again_first = 0, again_last = 0;

  bool operator==(const PlannedFailures&) const = default;
  bool any() const { return first != 0 || again_first != 0; }
  bool hit(std::uint64_t place) const {
    return (first != 0 && place >= first && place <= last) ||
           (again_first != 0 && place >= again_first && place <= again_last);
  }
};

}  // namespace ftlab
