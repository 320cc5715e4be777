// Schedules scans of the cells for superblocks that need refresh: at the first request after power-on, then at fixed
// intervals. Scans that would find nothing are skipped.
#pragma once

#include "sim/core/check.h"
#include "sim/core/types.h"

namespace ftlab {

class ScanTimer {
 public:
  // `every` 0: never.
  explicit ScanTimer(Nanoseconds every) : every_(every) {}

  bool is_due(Nanoseconds now) const { return every_ > Nanoseconds{0} && (now >= next_ || next_ == kNever); }
  Nanoseconds next() const { return next_; }
  // False if next() is more than `every` after `latest`, the last activity.
  bool is_plausible_next(Nanoseconds latest) const {
    return every_ == Nanoseconds{0} || next_ == kNever || next_ - std::min(next_, every_) <= latest;
  }
  void scanned() {
    FTLAB_DCHECK(every_ > Nanoseconds{0} && next_ != kNever, "a scan has ended that was never due");
    next_ += every_;
  }
  void restart() { next_ = kNever; }
  // Skips scans up to `now` that would find nothing. Errors only grow while the drive is idle, so if one scan is in vain,
  // all before it are: bisection finds the first useful one.
  template <class FindsNothing>
  void skip(Nanoseconds now, FindsNothing&& in_vain) {
    if (next_ == kNever) next_ = now;
    FTLAB_DCHECK(every_ > Nanoseconds{0} && now >= next_, "scans are skipped that are not due");
    std::uint64_t first = 0, end = (now - next_) / every_ + 1;
    while (first < end) {
      const std::uint64_t middle = first + (end - first) / 2;
      if (in_vain(next_ + middle * every_))
        first = middle + 1;
      else
        end = middle;
    }
    next_ += first * every_;
  }

  template <class A>
  void archive(A& archive) {
    std::uint64_t next = next_.count();  // lies ahead, unlike all other times of a drive at rest
    archive.value(next);
    next_ = Nanoseconds{next};
  }

 private:
  Nanoseconds every_;
  Nanoseconds next_ = kNever;
};

}  // namespace ftlab
