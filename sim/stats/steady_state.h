// fio's steadystate: samples of equal length, of which the last `duration` are compared with the criterion.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/workload/jobs/flow.h"

namespace ftlab {

// State when steady state was attained, or else at the end, as shown in fio's JSON.
struct SteadyResult {
  SteadyCriterion wanted;
  bool attained = false;
  double criterion = 0;                    // at the last check: percent or absolute, as wanted
  double max_deviation = 0;                // from the mean; 0 for slopes
  double slope = 0;                        // per sample; 0 for deviations
  std::vector<std::uint64_t> bytes_per_s;  // oldest first, at most those of `duration`
  std::vector<std::uint64_t> iops;
  std::vector<std::uint64_t> latency_ns;  // mean of each interval; 0 without completions
};

class SteadyState {
 public:
  explicit SteadyState(const SteadyCriterion& wanted) { result_.wanted = wanted; }

  // Takes cumulative counts at the end of an interval; the first call is the beginning of the first interval. Returns true
  // if the steady state has been attained.
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
