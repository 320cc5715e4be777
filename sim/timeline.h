// One resource that serves one thing at a time (a die, a channel, the link, the firmware), as its reservations in
// simulated time. A reservation costs about 5 ns, where a queued event would cost 40 to 70.
//
// Reservations may be asked for in any order of time: one that lies in the future (a program that waits for its data)
// leaves a gap before it, and a later one that is ready earlier takes the gap. At most kGapCount gaps are remembered; the
// earliest is forgotten first, which can only make the resource a little slower than the exact schedule.
#pragma once

#include <array>
#include <cstdint>

#include "sim/types.h"

namespace ftlab {

class Timeline {
 public:
  // The earliest moment at or after `ready` from which the resource is free for `length`.
  Nanoseconds earliest(Nanoseconds ready, Nanoseconds length) const;

  // Takes the resource for `length` from earliest(ready, length), which is returned.
  Nanoseconds reserve(Nanoseconds ready, Nanoseconds length);

  // Keeps the resource until `until` when the reservation that ended at `from` is the last one (a die that holds data
  // until the channel takes it). Otherwise nothing: what already follows was promised.
  void hold(Nanoseconds from, Nanoseconds until);

  Nanoseconds end() const { return end_; }    // of the last reservation
  Nanoseconds busy() const { return busy_; }  // sum of all reservations

  template <class A>
  void archive(A& archive) {
    archive.value(end_);
    archive.value(busy_);
    archive.value(gap_count_);
    archive.value(gaps_);
  }

 private:
  struct Gap {
    Nanoseconds start, end;
  };
  static constexpr std::size_t kGapCount = 8;

  std::size_t find_gap(Nanoseconds ready, Nanoseconds length) const;
  Nanoseconds reserve_in_gap(std::size_t index, Nanoseconds ready, Nanoseconds length);
  void remember_gap(std::size_t index, Gap gap);
  void forget_gap(std::size_t index);

  Nanoseconds end_{0};
  Nanoseconds busy_{0};
  std::size_t gap_count_ = 0;
  std::array<Gap, kGapCount> gaps_{};  // in order of time
};

inline std::size_t Timeline::find_gap(Nanoseconds ready, Nanoseconds length) const {
  for (std::size_t i = 0; i < gap_count_; ++i) {
    if ((ready > gaps_[i].start ? ready : gaps_[i].start) + length <= gaps_[i].end) return i;
  }
  return gap_count_;
}

inline Nanoseconds Timeline::earliest(Nanoseconds ready, Nanoseconds length) const {
  if (ready >= end_) return ready;
  const std::size_t gap = find_gap(ready, length);
  if (gap == gap_count_) return end_;
  return ready > gaps_[gap].start ? ready : gaps_[gap].start;
}

inline Nanoseconds Timeline::reserve(Nanoseconds ready, Nanoseconds length) {
  busy_ += length;
  if (ready < end_) {
    const std::size_t gap = find_gap(ready, length);
    if (gap < gap_count_) return reserve_in_gap(gap, ready, length);
    ready = end_;
  } else if (ready > end_) {
    remember_gap(gap_count_, {end_, ready});
  }
  end_ = ready + length;
  return ready;
}

inline void Timeline::hold(Nanoseconds from, Nanoseconds until) {
  if (end_ != from || until <= from) return;
  busy_ += until - from;
  end_ = until;
}

}  // namespace ftlab
