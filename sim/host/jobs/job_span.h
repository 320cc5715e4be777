// Start, measured part and end of a job: from its ramp, runtime and last completion, or the time at which it was stopped.
#pragma once

#include <algorithm>

#include "sim/workload/jobs/job.h"

namespace ftlab {

class JobSpan {
 public:
  // Returns the start of the measured part.
  Nanoseconds start(const Job& job, Nanoseconds at) {
    started_ = at;
    measured_from_ = last_completion_ = at + job.ramp;
    if (job.runtime) end_ = measured_from_ + *job.runtime;
    return measured_from_;
  }

  // True once, at the end of the ramp.
  bool leaves_ramp(Nanoseconds now) {
    if (measured_ || now < measured_from_) return false;
    return measured_ = true;
  }

  void completed(Nanoseconds at) { last_completion_ = std::max(last_completion_, at); }
  // All requests of the job have been issued.
  void exhaust() { exhausted_ = true; }
  // Issues no more requests; outstanding ones are waited for.
  void stop(Nanoseconds at) {
    end_ = std::min(end_, at);
    stopped_ = true;
  }

  bool measured() const { return measured_; }
  bool stopped() const { return stopped_; }
  bool issues_no_more(Nanoseconds now) const { return exhausted_ || now >= end_; }

  Nanoseconds started() const { return started_; }
  Nanoseconds measured_from() const { return measured_from_; }
  Nanoseconds end() const { return end_; }  // end of the runtime, or when it was stopped
  // The last completion; at least the end of the runtime if the job could have issued requests until then.
  Nanoseconds ended() const { return exhausted_ || end_ == kNever ? last_completion_ : std::max(last_completion_, end_); }

 private:
  Nanoseconds started_{0};
  Nanoseconds measured_from_ = kNever;
  Nanoseconds end_ = kNever;
  Nanoseconds last_completion_{0};
  bool measured_ = false;
  bool stopped_ = false;
  bool exhausted_ = false;
};

}  // namespace ftlab
