#include "sim/host/jobs/depth_search.h"

#include <algorithm>

namespace ftlab {

DepthSearch::Verdict DepthSearch::completed(Nanoseconds now, Nanoseconds latency) {
  ++requests_;
  if (latency > target_.latency) {
    if (target_.percentile == 100) return missed(now);
    ++slow_;
  }
  if (now - window_ < target_.window) return Verdict::go_on;
  const double fast = static_cast<double>(requests_ - slow_) / static_cast<double>(requests_) * 100;
  if (fast >= target_.percentile) return met(now);
  // As in fio, a missed percentile at the smallest remaining depth lengthens the window instead of failing the job.
  return depth_ == low_ && !target_.keeps_running ? Verdict::go_on : missed(now);
}

DepthSearch::Verdict DepthSearch::missed(Nanoseconds now) {
  if (depth_ == low_ && target_.keeps_running) low_ = 1;  // the device has become slower
  if (depth_ == low_) return target_.percentile == 100 ? Verdict::failed : Verdict::go_on;
  high_ = depth_;
  depth_ = depth_ == low_ + 1 ? low_ : (depth_ + low_) / 2;
  met_in_a_row_ = 0;
  next_window(now);
  return Verdict::go_on;
}

// With latency_run, three windows in a row that meet the target just below a failed depth raise the upper limit by one.
DepthSearch::Verdict DepthSearch::met(Nanoseconds now) {
  constexpr std::uint32_t kStable = 3;
  const std::uint64_t before = depth_;
  low_ = depth_;
  if (close_to_high() && target_.keeps_running && ++met_in_a_row_ >= kStable) {
    ++high_;
    met_in_a_row_ = 0;
  }
  depth_ = std::min(high_ == most_ ? depth_ * 2 : (depth_ + high_) / 2, most_);
  next_window(now);
  if (target_.keeps_running || depth_ != before) return Verdict::go_on;
  if (measuring_) return Verdict::done;
  measuring_ = true;
  return Verdict::measure;
}

void DepthSearch::next_window(Nanoseconds now) {
  window_ = now;
  requests_ = slow_ = 0;
}

}  // namespace ftlab
