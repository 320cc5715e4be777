// Operations that a test makes fail, by their number among all of their kind: the n-th program, erase or read.
#pragma once

#include <cstdint>

namespace ftlab {

// Up to two ranges of operation numbers, which begin at 1; both ends are included. A range that begins with 0 is empty.
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
