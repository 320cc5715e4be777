// Records everything about one job while it runs. The host passes every completion of the job to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/core/check.h"
#include "sim/stats/log_windows.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

class JobRecorder {
 public:
  // REQUIRES: `job` outlives the recorder and its statistics.
  explicit JobRecorder(const Job& job);

  // The measured part begins at `at`, which may lie in the future (start delay, ramp). Completions before this call, or
  // earlier than `at`, are not recorded. REQUIRES: called once.
  void begin(Nanoseconds at);

  // Records a completion. Failed requests are only counted as failed, without bytes or latency, so that the parts sum to the
  // latencies. REQUIRES: completed does not decrease, issued <= completed, parts sum to their difference. 10 ns without
  // logs.
  void add(Direction direction, std::uint64_t offset, std::uint64_t bytes, Nanoseconds issued, Nanoseconds completed,
           Status status, const LatencyParts& parts);

  // Records a flush, like add(). Kinds that fio does not report only affect the end of the job.
  void add_flush(FlushKind kind, Nanoseconds issued, Nanoseconds completed, Status status);

  // Discards everything recorded; the measured part begins at `at`. REQUIRES: begun, not before the last completion.
  void restart_measurement(Nanoseconds at);

  // Records requests in order of issue; only if the job writes its sequence.
  void sent(const Request& request, FlushKind flush) {
    if (!stats_.job->sequence_log) return;
    stats_.sequence.push_back(
        {request.issued, request.offset_bytes, request.length_bytes, request.op, flush == FlushKind::data});
  }

  // Paced jobs only: the depth at which each request was issued. The setters below are called at the end of the job.
  void issued(Nanoseconds at, std::uint64_t depth);
  // Only the first failure is kept.
  void fail(int error, const std::string& problem);
  const Job& job() const { return *stats_.job; }
  void set_batches(const BatchLevels& submits, const BatchLevels& reaps);
  void set_depth(std::uint64_t depth) { stats_.depth = depth; }
  void set_steady(const SteadyResult& result) { stats_.steady = result; }

  // Returns the statistics of the measured part, which ends at `at`: the later of the last completion and the end of the
  // runtime. As in fio, only full windows give bandwidth and IOPS samples. No calls afterwards.
  JobStats finish(Nanoseconds at);

 private:
  // Amounts in windows of one length, from which samples are made.
  struct Window {
    Nanoseconds length{0};
    Nanoseconds end = kNever;  // end of the open window
    PerDirection<std::uint64_t> amounts{};

    void begin(Nanoseconds at, Nanoseconds of_length);
    // Moves on to the window that contains `at`.
    void step_to(Nanoseconds at);
  };

  void close_samples_before(Nanoseconds at);
  void close_bandwidth_before(Nanoseconds at);
  void close_iops_before(Nanoseconds at);
  void open_logs();
  void take_logs(Nanoseconds at);

  JobStats stats_;
  Nanoseconds begin_ = kNever;
  Nanoseconds window_end_ = kNever;  // end of the window that ends first
  Window bandwidth_;
  Window iops_;
  std::optional<LogWindows> logs_;
  std::optional<HistogramWindows> histograms_;
};

inline void JobRecorder::add(Direction direction, std::uint64_t offset, std::uint64_t bytes, Nanoseconds issued,
                             Nanoseconds completed, Status status, const LatencyParts& parts) {
  if (completed < begin_) return;
  FTLAB_CHECK(completed >= stats_.ended && completed >= issued, "completed at " + std::to_string(completed.count()));
  const auto d = static_cast<std::size_t>(direction);
  stats_.ended = completed;
  if (completed > window_end_) close_samples_before(completed);
  if (status != Status::ok) {
    ++stats_.failed[d];
    return;
  }
  ++stats_.directions[d].requests;
  stats_.directions[d].bytes += bytes;
  stats_.directions[d].latency.add(completed - issued);
  ++iops_.amounts[d];
  bandwidth_.amounts[d] += bytes;
  if (completed > issued) stats_.parts_by_latency.add(completed - issued, parts);  // latencies are 0 without a clock
  if (logs_) logs_->add(completed - begin_, direction, bytes, completed - issued, offset);
  if (histograms_) histograms_->add(completed - begin_, direction, bytes, completed - issued);
}

}  // namespace ftlab
