// When a drive is busy and when it sleeps, from its requests alone: it is active while one is outstanding, and asleep once
// none was for a given time. 2 ns a request.
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
  // One of them is answered at that moment, or will be.
  void end(Nanoseconds completed) {
    --open_;
    until_ = std::max(until_, completed);
  }
  bool asleep_at(Nanoseconds now) const { return slept(until_, now) > Nanoseconds{0}; }

  // From power-on to `now`. Only the last stretch of requests and the silence before it are remembered: REQUIRES that `now`
  // is not before that silence.
  Nanoseconds active(Nanoseconds now) const {
    check(now);
    return active_before_ + (std::min(until_, now) - std::min(from_, now));
  }
  Nanoseconds asleep(Nanoseconds now) const {
    check(now);
    return asleep_before_ + slept(silent_from_, std::min(from_, now)) + slept(until_, now);
  }
  Nanoseconds until() const { return until_; }  // when all are answered
  void set_sleep_after(Nanoseconds sleep_after) { sleep_after_ = sleep_after; }

  // The time after which it sleeps is no part of the state.
  template <class A>
  void archive(A& archive) {
    archive.section("activity");
    for (auto* time : {&silent_from_, &from_, &until_, &active_before_, &asleep_before_}) archive.value(*time);
  }

 private:
  // Of a silence from `from` until `now`.
  Nanoseconds slept(Nanoseconds from, Nanoseconds now) const {
    const Nanoseconds silence = now > from ? now - from : Nanoseconds{0};
    return silence > sleep_after_ ? silence - sleep_after_ : Nanoseconds{0};
  }
  void check(Nanoseconds now) const {
    FTLAB_CHECK(now >= silent_from_, "activity asked for at " + std::to_string(now.count()) + " ns, remembered from " +
                                         std::to_string(silent_from_.count()) + " ns");
  }

  Nanoseconds sleep_after_;
  std::uint32_t open_ = 0;          // requests of which the end is not known
  Nanoseconds silent_from_{0};      // until from_
  Nanoseconds from_{0}, until_{0};  // the last stretch without a gap
  Nanoseconds active_before_{0};    // it
  Nanoseconds asleep_before_{0};    // the silence before it
};

}  // namespace ftlab
