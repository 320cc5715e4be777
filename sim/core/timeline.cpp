#include "sim/core/timeline.h"

namespace ftlab {

// Drops the earliest gap if there are too many.
void Timeline::insert_gap(std::uint32_t place, Gap inserted) {
  if (gap_count_ == kGapCount) {
    ++first_gap_;
    --gap_count_;
  }
  if (first_gap_ + gap_count_ == gaps_.size()) {
    place -= first_gap_;
    align_gaps();
  }
  const auto end = gaps_.begin() + first_gap_ + gap_count_;
  std::copy_backward(gaps_.begin() + place, end, end + 1);
  gaps_[place] = inserted;
  ++gap_count_;
}

// Moves the gaps to the front and zeroes unused entries.
void Timeline::align_gaps() {
  std::copy(gaps_begin(), gaps_end(), gaps_.begin());
  std::fill(gaps_.begin() + gap_count_, gaps_.end(), Gap{});
  first_gap_ = 0;
}

}  // namespace ftlab
