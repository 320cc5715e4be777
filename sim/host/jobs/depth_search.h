// fio's latency_target: searches for the largest queue depth at which requests meet the latency target, by doubling until it
// is missed and by bisection after that, one step per window.
#pragma once

#include <cstdint>

#include "sim/workload/jobs/flow.h"

namespace ftlab {

class DepthSearch {
 public:
  DepthSearch(const LatencyTarget& target, std::uint64_t depth) : target_(target), most_(depth), high_(depth) {}

  enum class Verdict {
    go_on,
    measure,  // the depth is found; everything recorded so far was part of the search
    done,     // the depth has been measured for one more window
    failed,   // percentile is 100, and even the smallest remaining depth misses the target
  };

  void begin(Nanoseconds now) { window_ = now; }
  // One request completed. Evaluates the window at its end.
  Verdict completed(Nanoseconds now, Nanoseconds latency);
  std::uint64_t depth() const { return depth_; }

 private:
  Verdict missed(Nanoseconds now);
  Verdict met(Nanoseconds now);
  void next_window(Nanoseconds now);
  bool close_to_high() const { return depth_ + 1 == high_; }

  LatencyTarget target_;
  std::uint64_t most_;
  std::uint64_t low_ = 1;
  std::uint64_t high_;
  std::uint64_t depth_ = 1;
  std::uint64_t requests_ = 0;
  std::uint64_t slow_ = 0;
  std::uint32_t met_in_a_row_ = 0;
  bool measuring_ = false;
  Nanoseconds window_{0};
};

}  // namespace ftlab
