// fio's latency_target: searches the largest queue depth at which the requests stay fast enough, by doubling until it fails
// and by bisection from then on, one step a window.
#pragma once

#include <cstdint>

#include "sim/workload/jobs/flow.h"

namespace ftlab {

class DepthSearch {
 public:
  DepthSearch(const LatencyTarget& target, std::uint64_t depth) : target_(target), most_(depth), high_(depth) {}

  enum class Verdict {
    go_on,
    measure,  // the depth is found; what was recorded until now was the search
    done,     // the depth has been measured for one more window
    failed,   // all requests should be fast enough, and not even the smallest depth that is left makes them so
  };

  void begin(Nanoseconds now) { window_ = now; }
  // One request came back. Looks at the window when it is over.
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
