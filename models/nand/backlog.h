// Programs and erases that wait for a die, in the order in which they became ready, with the moments at which they will
// begin if nothing else comes: each when it is ready and the one before it is over. What delays the first moves all of them
// back, as far as the idle time between them does not take it up; that costs one step, since only this idle time is kept,
// and from it the beginning of the first and the end of the last are known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/types.h"

namespace ftlab {

class Backlog {
 public:
  struct Work {
    Nanoseconds ready;  // gives it its place
    Nanoseconds from;   // it does not begin before: when its channel is free
    Nanoseconds length;
    Nanoseconds suspendable;     // the last of its length that can be suspended
    Nanoseconds idle{0};         // before it, since the one ahead of it
    std::uint32_t suspends = 0;  // that it may still suffer
    std::uint8_t erases = 0;     // 1: an erase, 0: a program
    std::uint8_t resumed = 0;    // 1: the rest of something that was suspended; nothing goes before it
    std::uint16_t unused = 0;    // no padding: it is archived

    bool before(Nanoseconds other) const { return resumed != 0 || ready <= other; }
  };

  bool empty() const { return first_ == work_.size(); }
  std::size_t size() const { return work_.size() - first_; }
  const Work& front() const { return work_[first_]; }
  Nanoseconds begins() const { return begins_; }  // the first
  Nanoseconds ends() const { return begins_ + lengths_ + idle_; }

  // Whether what is ready then would be the first.
  bool would_be_first(Nanoseconds ready) const { return empty() || !front().before(ready); }
  // When it would begin. REQUIRES: it would not be the first.
  Nanoseconds would_begin(Nanoseconds ready) const;

  // Behind all that became ready before it. REQUIRES: it would not be the first.
  void add(Work work);
  void add_first(const Work& work, Nanoseconds begins);
  // The first will not begin before.
  void delay_until(Nanoseconds begins);
  // Removes the first.
  void begin_first();

  template <class A>
  void archive(A& archive) {
    if (!archive.loading()) close_up();
    archive.list(work_, kMost);
    archive.value(begins_);
    archive.value(lengths_);
    archive.value(idle_);
    archive.require(adds_up(), "what waits for it does not add up.");
    first_ = 0;
    first_idle_ = 1;
  }

 private:
  static constexpr std::size_t kMost = 1 << 20;
  static constexpr std::size_t kMostGone = 64;

  // Behind all that were ready before, or at the same moment.
  struct Place {
    std::size_t index;
    Nanoseconds free;  // when the one before it is over
  };
  Place place_of(Nanoseconds ready) const;
  void come_before(Nanoseconds over, std::size_t follower, Nanoseconds began);
  void delay_from(std::size_t place, Nanoseconds by);
  void close_up();
  bool adds_up() const;  // of what was loaded

  std::vector<Work> work_;  // from first_ on; of the first, no idle time is kept
  std::size_t first_ = 0;
  std::size_t first_idle_ = 1;  // behind the first, none ahead of this one has idle time before it
  Nanoseconds begins_{0};
  Nanoseconds lengths_{0}, idle_{0};  // sums
};

}  // namespace ftlab
