// Failures of a job whose requests succeed: it misses its minimum rate (rate_min), or a request takes too long
// (max_latency).
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

  // As in fio, rates are not checked during the two seconds after `at`.
  void begin(Nanoseconds at) { begin_ = at; }

  void completed(Direction d, std::uint64_t bytes, Nanoseconds now, Nanoseconds latency);
  // Fails the job for another reason; the first failure counts.
  void fail(int error, const std::string& text) {
    if (!failure_) failure_ = JobFailure{error, text};
  }
  // The failure that ends the job, if any.
  const std::optional<JobFailure>& failure() const { return failure_; }

 private:
  struct Cycle {
    bool begun = false;
    Nanoseconds start{0};
    std::uint64_t bytes = 0;  // the job's total at `start`
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
