// A job that only keeps its queue full: it issues the next request whenever one completes.
#pragma once

#include "sim/host/jobs/job_span.h"
#include "sim/host/jobs/request_source.h"

namespace ftlab {

class ClosedLoop {
 public:
  ClosedLoop(const Job& job, std::uint64_t seed) : job_(job), source_(job, seed) {}

  // Returns the start of the measured part.
  Nanoseconds start(Nanoseconds at) { return span_.start(job_, at); }

  // Returns the next request, to be issued at `now`; nullptr if the job issues no more. Valid until the next call.
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

  // Issues no more requests; outstanding ones are waited for.
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
