// Timers of the jobs of a group. They fire at or after their time.
#pragma once

#include <utility>
#include <vector>

#include "sim/core/event_queue.h"

namespace ftlab {

class JobTimers {
 public:
  enum class Kind : std::uint8_t { start, wake, sample };
  struct Timer {
    Kind kind;
    std::size_t job;
  };
  using Event = EventQueue<Timer>::Event;

  void push(Nanoseconds at, Kind kind, std::size_t job) { timers_.push(at, EventClass::timer, {kind, job}); }
  // Ignored if the job's last wake-up was requested for the same time.
  void wake(Nanoseconds at, std::size_t job) {
    if (job >= wakes_.size()) wakes_.resize(job + 1, kNever);
    if (at == kNever || std::exchange(wakes_[job], at) == at) return;
    push(at, Kind::wake, job);
  }

  bool empty() const { return timers_.empty(); }
  Nanoseconds next() const { return timers_.empty() ? kNever : timers_.top().time; }
  Event pop() { return timers_.pop(); }

 private:
  EventQueue<Timer> timers_;
  std::vector<Nanoseconds> wakes_;  // by job: the last wake-up time requested
};

}  // namespace ftlab
