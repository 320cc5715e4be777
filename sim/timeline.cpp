#include "sim/timeline.h"

#include <algorithm>

namespace ftlab {

Nanoseconds Timeline::reserve_in_gap(std::size_t index, Nanoseconds ready, Nanoseconds length) {
  const Gap gap = gaps_[index];
  const Nanoseconds start = std::max(ready, gap.start);
  const bool room_before = start > gap.start;
  const bool room_after = start + length < gap.end;
  if (room_before) {
    gaps_[index].end = start;
    if (room_after) remember_gap(index + 1, {start + length, gap.end});
  } else if (room_after) {
    gaps_[index].start = start + length;
  } else {
    forget_gap(index);
  }
  return start;
}

void Timeline::remember_gap(std::size_t index, Gap gap) {
  if (gap_count_ == kGapCount) {
    forget_gap(0);
    if (index > 0) --index;
  }
  std::copy_backward(gaps_.begin() + index, gaps_.begin() + gap_count_, gaps_.begin() + gap_count_ + 1);
  gaps_[index] = gap;
  ++gap_count_;
}

void Timeline::forget_gap(std::size_t index) {
  std::copy(gaps_.begin() + index + 1, gaps_.begin() + gap_count_, gaps_.begin() + index);
  --gap_count_;
}

}  // namespace ftlab
