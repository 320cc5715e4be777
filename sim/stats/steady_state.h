// fio's steadystate: samples of equal length, of which the last `duration` are held against the criterion.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/workload/jobs/flow.h"

namespace ftlab {

// As it was when it was attained, or else at the end: what fio's JSON shows.
struct SteadyResult {
  SteadyCriterion wanted;
  bool attained = false;
  double criterion = 0;                    // of the last look: percent or absolute, as wanted
  double max_deviation = 0;                // from the mean; 0 for slopes
  double slope = 0;                        // per sample; 0 for deviations
  std::vector<std::uint64_t> bytes_per_s;  // oldest first, as many as have been taken
  std::vector<std::uint64_t> iops;
  std::vector<std::uint64_t> latency_ns;  // means of each interval; 0 when nothing came back in it
};

class SteadyState {
 public:
  explicit SteadyState(const SteadyCriterion& wanted) { result_.wanted = wanted; }

  // Cumulative counts at the end of an interval; the first call is the beginning of the first one. Returns whether the
  // steady state has been attained.
  bool sample(std::uint64_t bytes, std::uint64_t requests, std::uint64_t latency_ns_sum);

  const SteadyResult& result() const { return result_; }

 private:
  void keep(std::vector<std::uint64_t>& samples, std::uint64_t value);
  std::size_t wanted_count() const;
  double slope_of(const std::vector<std::uint64_t>& samples) const;

  SteadyResult result_;
  bool begun_ = false;
  std::uint64_t bytes_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t latency_ns_sum_ = 0;
};

}  // namespace ftlab
