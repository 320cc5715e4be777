// Everything that is remembered about one job while it runs. The host feeds it with every completion of the
// job.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/stats/histogram_windows.h"
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
  void add(Direction direction, std::uint64_t offset, std::uint64_t bytes, Nanoseconds issued, Nanoseconds completed,
           Status status, const LatencyParts& parts);

  // A flush, like add(); kinds that fio does not report are only waited for.
  void add_flush(FlushKind kind, Nanoseconds issued, Nanoseconds completed, Status status);

  // Forgets all that was recorded; the measured part begins at `at`. REQUIRES: begun, not before the last completion.
  void begin_anew(Nanoseconds at);

  // What was issued, in order; kept only when the job writes its sequence.
  void sent(const Request& request, FlushKind flush) {
    if (!stats_.job->sequence_log) return;
    stats_.sequence.push_back(
        {request.issued, request.offset_bytes, request.length_bytes, request.op, flush == FlushKind::data});
  }

  // What only paced jobs have: the depth at which each request was issued, and at their end the rest.
  void issued(Nanoseconds at, std::uint64_t depth);
  // The first failure is kept.
  void fail(int error, const std::string& problem);
  const Job& job() const { return *stats_.job; }
  void set_batches(const BatchLevels& submits, const BatchLevels& reaps);
  void set_depth(std::uint64_t depth) { stats_.depth = depth; }
  void set_steady(const SteadyResult& result) { stats_.steady = result; }

  // The statistics of the measured part, which ends at `at`: the last completion or the end of the runtime,
  // whichever is later. Only full windows have become bandwidth and IOPS samples, as with fio.
  // Nothing may be added afterwards.
  JobStats finish(Nanoseconds at);

 private:
  // Samples of what was done in windows of one length.
  struct Window {
    Nanoseconds length{0};
    Nanoseconds end = kNever;  // of the open one
    PerDirection<std::uint64_t> amounts{};

    void begin(Nanoseconds at, Nanoseconds of_length);
    // Afterwards `at` lies in the open window.
    void step_to(Nanoseconds at);
  };

  void close_samples_before(Nanoseconds at);
  void close_bandwidth_before(Nanoseconds at);
  void close_iops_before(Nanoseconds at);
  void open_logs();
  void take_logs(Nanoseconds at);

  JobStats stats_;
  Nanoseconds begin_ = kNever;
  Nanoseconds window_end_ = kNever;  // of the one that ends first
  Window bandwidth_;
  Window iops_;
  std::optional<LogWindows> logs_;
  std::optional<HistogramWindows> histograms_;
};

}  // namespace ftlab
