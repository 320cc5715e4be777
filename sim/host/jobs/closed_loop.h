// One job that does nothing but keep its queue full: whenever a request comes back, the next one is issued.
#pragma once

#include "sim/host/jobs/job_span.h"
#include "sim/host/jobs/request_source.h"

namespace ftlab {

class ClosedLoop {
 public:
  ClosedLoop(const Job& job, std::uint64_t seed) : job_(job), source_(job, seed) {}

  // Returns when the measured part begins.
  Nanoseconds start(Nanoseconds at) { return span_.start(job_, at); }

  // The next request, to be issued at `now`, until the next call; nullptr when the job issues no more.
  const Request* next(Device& device, Nanoseconds now) {
    if (!source_.fill(device)) span_.exhaust();
    if (span_.issues_no_more(now)) return nullptr;
    ++outstanding_;
    return &source_.take();
  }

  void completed(Nanoseconds at) {
    --outstanding_;
    span_.completed(at);
  }

  // No more requests; those outstanding are waited for.
  void stop(Nanoseconds at) { span_.stop(at); }

  std::size_t depth() const { return job_.depth; }
  bool idle() const { return outstanding_ == 0; }
  Nanoseconds ended() const { return span_.ended(); }  // see JobSpan

 private:
  const Job& job_;
  RequestSource source_;
  JobSpan span_;
  std::size_t outstanding_ = 0;
};

}  // namespace ftlab
