// Everything that is remembered about one job while it runs. The host feeds it with every completion of the
// job.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/stats/log_windows.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

class JobRecorder {
 public:
  // REQUIRES: `job` outlives the recorder and its statistics.
  explicit JobRecorder(const Job& job);

  // The measured part begins at `at`, which may lie in the future (start delay, ramp). Until this has been
  // called, and for all that completes before `at`, nothing is recorded. REQUIRES: called once.
  void begin(Nanoseconds at);

  // One completion. Requests that failed are counted as failed and nowhere else: neither bytes nor latency,
  // so that the parts sum to the latencies. REQUIRES: completed does not decrease, issued <= completed, parts
  // sum to their difference. 10 ns without logs.
  void add(Direction direction, std::uint64_t offset, std::uint64_t bytes, Nanoseconds issued,
           Nanoseconds completed, Status status, const LatencyParts& parts);

  // The statistics of the measured part, which ends at `at`: the last completion or the end of the runtime,
  // whichever is later. Only full windows of 500 ms have become bandwidth and IOPS samples, as with fio.
  // Nothing may be added afterwards.
  JobStats finish(Nanoseconds at);

 private:
  struct Window {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
  };

  void close_samples_before(Nanoseconds at);
  void take_logs(Nanoseconds at);

  JobStats stats_;
  Nanoseconds begin_ = kNever;
  Nanoseconds window_end_ = kNever;  // of the open 500 ms window
  PerDirection<Window> window_{};
  std::optional<LogWindows> logs_;
};

}  // namespace ftlab
