// Reservations, in simulated time, of one resource that serves one request at a time (a die, a channel, the link, the
// firmware). A reservation costs about 5 ns, where a queued event would cost 40 to 70.
//
// Reservations need not be made in order of time. One that lies in the future (a program that waits for its data) leaves a
// gap before it, which a later reservation that is ready earlier can take. At most kGapCount gaps are remembered; the
// earliest is dropped first, which can only make the resource a little slower than the exact schedule.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/core/types.h"

namespace ftlab {

class Timeline {
 public:
  // Earliest time at or after `ready` from which the resource is free for `length`.
  Nanoseconds earliest(Nanoseconds ready, Nanoseconds length) const;

  // True if no gap is left from `ready` on: reservations are made behind all others.
  bool in_order(Nanoseconds ready) const { return ready >= end_ || !has_gap_after(ready); }

  // Reserves the resource for `length` from earliest(ready, length), and returns that time.
  Nanoseconds reserve(Nanoseconds ready, Nanoseconds length);

  // Extends the last reservation to `until` if it ended at `from` (a die that holds data until the channel takes it). No
  // effect if another reservation follows already.
  void hold(Nanoseconds from, Nanoseconds until);

  Nanoseconds end() const { return end_; }    // end of the last reservation
  Nanoseconds busy() const { return busy_; }  // sum of all reservations

  template <class A>
  void archive(A& archive) {
    archive.value(end_);
    archive.value(busy_);
    std::uint64_t count = gap_count_;
    archive.count(count, std::uint64_t{kGapCount});
    align_gaps();
    std::array<Gap, kGapCount> gaps;
    std::copy(gaps_.begin(), gaps_.begin() + kGapCount, gaps.begin());
    archive.value(gaps);
    std::copy(gaps.begin(), gaps.end(), gaps_.begin());
    gap_count_ = static_cast<std::uint32_t>(count);
  }

 private:
  struct Gap {
    Nanoseconds start, end;
  };
  static constexpr std::uint32_t kGapCount = 8;

  const Gap* gaps_begin() const { return &gaps_[first_gap_]; }
  const Gap* gaps_end() const { return gaps_begin() + gap_count_; }
  bool has_gap_after(Nanoseconds moment) const { return gap_count_ > 0 && moment <= (gaps_end() - 1)->end; }
  // First gap that holds `length` from `ready` on; null if no gap does. REQUIRES: has_gap_after(ready + length).
  const Gap* find_gap(Nanoseconds ready, Nanoseconds length) const;
  Nanoseconds reserve_in_gap(Gap& gap, Nanoseconds ready, Nanoseconds length);
  void append_gap(Gap last);
  void insert_gap(std::uint32_t place, Gap inserted);
  void align_gaps();

  Nanoseconds end_{0};
  Nanoseconds busy_{0};
  // In order of time, starting at first_gap_. Twice the necessary size, so that they rarely move to the front.
  std::array<Gap, 2 * kGapCount> gaps_{};
  std::uint32_t first_gap_ = 0;
  std::uint32_t gap_count_ = 0;
};

[[gnu::noinline]] inline const Timeline::Gap* Timeline::find_gap(Nanoseconds ready, Nanoseconds length) const {
  const Gap* gap = gaps_begin();
  const Gap* const end = gaps_end();
  while (gap->end < ready + length) ++gap;  // the last gap ends late enough
  for (; gap != end; ++gap) {
    if (gap->start <= ready || gap->start + length <= gap->end) return gap;
  }
  return nullptr;
}

inline Nanoseconds Timeline::earliest(Nanoseconds ready, Nanoseconds length) const {
  if (ready >= end_) return ready;
  const Gap* const gap = has_gap_after(ready + length) ? find_gap(ready, length) : nullptr;
  return gap == nullptr ? end_ : std::max(ready, gap->start);
}

[[gnu::always_inline]] inline Nanoseconds Timeline::reserve(Nanoseconds ready, Nanoseconds length) {
  busy_ += length;
  if (ready < end_) {
    const Gap* const gap = has_gap_after(ready + length) ? find_gap(ready, length) : nullptr;
    if (gap != nullptr) return reserve_in_gap(gaps_[gap - gaps_.data()], ready, length);
    ready = end_;
  } else if (ready > end_) {
    append_gap({end_, ready});
  }
  end_ = ready + length;
  return ready;
}

[[gnu::noinline]] inline Nanoseconds Timeline::reserve_in_gap(Gap& gap, Nanoseconds ready, Nanoseconds length) {
  const Nanoseconds start = std::max(ready, gap.start), end = gap.end;
  const bool room_before = start > gap.start, room_after = start + length < end;
  if (room_before && room_after) {
    gap.end = start;
    insert_gap(static_cast<std::uint32_t>(&gap - gaps_.data()) + 1, {start + length, end});
  } else if (room_before) {
    gap.end = start;
  } else if (room_after) {
    gap.start = start + length;
  } else {
    std::copy(&gap + 1, &gaps_[first_gap_] + gap_count_, &gap);
    --gap_count_;
  }
  return start;
}

// Drops the earliest gap if there are too many.
inline void Timeline::append_gap(Gap last) {
  if (first_gap_ + gap_count_ == gaps_.size()) align_gaps();
  gaps_[first_gap_ + gap_count_] = last;
  const bool full = gap_count_ == kGapCount;
  first_gap_ += full;
  gap_count_ += !full;
}

inline void Timeline::hold(Nanoseconds from, Nanoseconds until) {
  if (end_ != from || until <= from) return;
  busy_ += until - from;
  end_ = until;
}

}  // namespace ftlab
