// What makes a job fail although its requests succeed: a rate that it does not reach (rate_min), a request that takes too
// long (max_latency).
#pragma once

#include <optional>
#include <string>

#include "sim/stats/run_stats.h"

namespace ftlab {

struct JobFailure {
  int error = 0;
  std::string text;
};

class JobGuard {
 public:
  explicit JobGuard(const Flow& flow) : flow_(flow) {}

  // As with fio, the first two seconds from here are not looked at.
  void begin(Nanoseconds at) { begin_ = at; }

  // One request came back.
  void completed(Direction d, std::uint64_t bytes, Nanoseconds now, Nanoseconds latency);
  // Something else makes the job fail; the first failure counts.
  void fail(int error, const std::string& text) {
    if (!failure_) failure_ = JobFailure{error, text};
  }
  // What ends the job.
  const std::optional<JobFailure>& failure() const { return failure_; }

 private:
  struct Cycle {
    bool begun = false;
    Nanoseconds start{0};
    std::uint64_t bytes = 0;  // counted since the beginning, as they were at `start`
    std::uint64_t requests = 0;
  };

  void check_rate(std::size_t d, Nanoseconds now);

  const Flow& flow_;
  Nanoseconds begin_{0};
  PerDirection<std::uint64_t> bytes_{};
  PerDirection<std::uint64_t> requests_{};
  PerDirection<Cycle> cycles_{};
  std::optional<JobFailure> failure_;
};

}  // namespace ftlab
