// Active and sleep times of a drive, from its requests alone: active while one is outstanding, asleep after none was
// outstanding for a given time. 2 ns per request.
#pragma once

#include <algorithm>
#include <string>

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

class Activity {
 public:
  // Falls asleep `sleep_after` after the last request; kNever: never.
  explicit Activity(Nanoseconds sleep_after) : sleep_after_(sleep_after) {}

  // A request arrives. REQUIRES: `issued` does not decrease from one to the next.
  void begin(Nanoseconds issued) {
    if (open_++ == 0 && issued > until_) {
      active_before_ += until_ - from_;
      asleep_before_ += slept(silent_from_, from_);
      silent_from_ = until_;
      from_ = issued;
    }
  }
  // A request is completed at that time, which may be in the future.
  void end(Nanoseconds completed) {
    --open_;
    until_ = std::max(until_, completed);
  }
  bool asleep_at(Nanoseconds now) const { return slept(until_, now) > Nanoseconds{0}; }

  // Times from power-on to `now`. Only the last active period and the idle period before it are remembered. REQUIRES: `now`
  // is not before that idle period.
  Nanoseconds active(Nanoseconds now) const {
    check(now);
    return active_before_ + (std::min(until_, now) - std::min(from_, now));
  }
  Nanoseconds asleep(Nanoseconds now) const {
    check(now);
    return asleep_before_ + slept(silent_from_, std::min(from_, now)) + slept(until_, now);
  }
  Nanoseconds until() const { return until_; }  // when all requests are completed
  void set_sleep_after(Nanoseconds sleep_after) { sleep_after_ = sleep_after; }

  // The argument of the constructor is not saved.
  template <class A>
  void archive(A& archive) {
    archive.section("activity");
    for (auto* time : {&silent_from_, &from_, &until_, &active_before_, &asleep_before_}) archive.value(*time);
  }

 private:
  // Sleep time in an idle period from `from` to `now`.
  Nanoseconds slept(Nanoseconds from, Nanoseconds now) const {
    const Nanoseconds silence = now > from ? now - from : Nanoseconds{0};
    return silence > sleep_after_ ? silence - sleep_after_ : Nanoseconds{0};
  }
  void check(Nanoseconds now) const {
    FTLAB_CHECK(now >= silent_from_, "activity asked for at " + std::to_string(now.count()) + " ns, remembered from " +
                                         std::to_string(silent_from_.count()) + " ns");
  }

  Nanoseconds sleep_after_;
  std::uint32_t open_ = 0;          // requests without a known end
  Nanoseconds silent_from_{0};      // idle from here to from_
  Nanoseconds from_{0}, until_{0};  // last active period
  Nanoseconds active_before_{0};    // active time before that period
  Nanoseconds asleep_before_{0};    // sleep time before the idle period that precedes it
};

}  // namespace ftlab
