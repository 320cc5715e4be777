// When a job begins, is measured and ends: its ramp, its runtime, its last completion, or the moment it was stopped.
#pragma once

#include <algorithm>

#include "sim/workload/jobs/job.h"

namespace ftlab {

class JobSpan {
 public:
  // Returns when the measured part begins.
  Nanoseconds start(const Job& job, Nanoseconds at) {
    started_ = at;
    measured_from_ = last_completion_ = at + job.ramp;
    if (job.runtime) end_ = measured_from_ + *job.runtime;
    return measured_from_;
  }

  // True once, when the ramp is over.
  bool leaves_ramp(Nanoseconds now) {
    if (measured_ || now < measured_from_) return false;
    return measured_ = true;
  }

  void completed(Nanoseconds at) { last_completion_ = std::max(last_completion_, at); }
  // All requests of the job have been issued.
  void exhaust() { exhausted_ = true; }
  // No more requests; those outstanding are waited for.
  void stop(Nanoseconds at) {
    end_ = std::min(end_, at);
    stopped_ = true;
  }

  bool measured() const { return measured_; }
  bool stopped() const { return stopped_; }
  bool issues_no_more(Nanoseconds now) const { return exhausted_ || now >= end_; }

  Nanoseconds started() const { return started_; }
  Nanoseconds measured_from() const { return measured_from_; }
  Nanoseconds end() const { return end_; }  // of its runtime, or when it was stopped
  // With its last completion, or with its runtime when it would have issued requests until then.
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
