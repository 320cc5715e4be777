// One job that does nothing but keep its queue full: whenever a request comes back, the next one is issued.
#pragma once

#include <algorithm>

#include "sim/host/request_source.h"

namespace ftlab {

class ClosedLoop {
 public:
  ClosedLoop(const Job& job, std::uint64_t seed) : job_(job), source_(job, seed) {}

  // Returns when the measured part begins.
  Nanoseconds start(Nanoseconds at) {
    ended_ = at + job_.ramp;
    if (job_.runtime) end_ = ended_ + *job_.runtime;
    return ended_;
  }

  // The next request, to be issued at `now`, until the next call; nullptr when the job issues no more.
  const Request* next(Device& device, Nanoseconds now) {
    if (!source_.fill(device) || now >= end_) return nullptr;
    ++outstanding_;
    return &source_.take();
  }

  void completed(Nanoseconds at) {
    --outstanding_;
    ended_ = std::max(ended_, at);
  }

  // No more requests; those outstanding are waited for.
  void stop(Nanoseconds at) { end_ = std::min(end_, at); }

  std::size_t depth() const { return job_.depth; }
  bool idle() const { return outstanding_ == 0; }
  // With its last completion, or with its runtime when it would have gone on until then.
  Nanoseconds ended() const {
    const bool ran_out_of_time = end_ != kNever && !source_.empty();
    return ran_out_of_time ? std::max(ended_, end_) : ended_;
  }

 private:
  const Job& job_;
  RequestSource source_;
  std::size_t outstanding_ = 0;
  Nanoseconds end_ = kNever;
  Nanoseconds ended_{0};
};

}  // namespace ftlab
