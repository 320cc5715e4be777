#include "sim/stats/job_recorder.h"

#include <string>
#include <utility>

#include "sim/check.h"
#include "sim/stats/rate.h"

namespace ftlab {

namespace {

constexpr Nanoseconds kSampleWindow{500'000'000};  // fio's default for bwavgtime and iopsavgtime

}  // namespace

JobRecorder::JobRecorder(const Job& job) {
  stats_.job = &job;
  const LogWindows::Wanted wanted{job.bandwidth_log.has_value(), job.iops_log.has_value(),
                                  job.latency_log.has_value()};
  if (wanted.bandwidth || wanted.iops || wanted.latency) logs_.emplace(job.log_interval, wanted);
}

void JobRecorder::begin(Nanoseconds at) {
  FTLAB_CHECK(begin_ == kNever, "job " + stats_.job->name + " begins twice");
  begin_ = at;
  window_end_ = at + kSampleWindow;
  stats_.started = at;
  stats_.ended = at;
}

void JobRecorder::add(Direction direction, std::uint64_t offset, std::uint64_t bytes, Nanoseconds issued,
                      Nanoseconds completed, Status status, const LatencyParts& parts) {
  if (completed < begin_) return;
  FTLAB_CHECK(completed >= stats_.ended && completed >= issued,
              "completed at " + std::to_string(completed.count()));
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
  ++window_[d].requests;
  window_[d].bytes += bytes;
  for (std::size_t i = 0; i < kLatencyPartCount; ++i) stats_.parts[i] += parts[i];
  if (logs_) logs_->add(completed - begin_, direction, bytes, completed - issued, offset);
}

JobStats JobRecorder::finish(Nanoseconds at) {
  FTLAB_CHECK(begin_ != kNever, "job " + stats_.job->name + " ends without having begun");
  FTLAB_CHECK(at >= stats_.ended, "job " + stats_.job->name + " ends before its last completion");
  if (at >= window_end_) close_samples_before(at);
  stats_.ended = at;
  if (logs_) take_logs(at);
  return std::move(stats_);
}

// A direction without completions in a window gives no sample, as with fio. Windows between that were empty
// are stepped over at once.
void JobRecorder::close_samples_before(Nanoseconds at) {
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (window_[d].requests == 0) continue;
    stats_.directions[d].bandwidth_samples_kib_s.push_back(kib_per_s(window_[d].bytes, kSampleWindow));
    stats_.directions[d].iops_samples.push_back(per_s(window_[d].requests, kSampleWindow));
  }
  window_ = {};
  const std::uint64_t passed = (at - window_end_).count() + kSampleWindow.count() - 1;
  window_end_ += kSampleWindow * (passed / kSampleWindow.count());
}

void JobRecorder::take_logs(Nanoseconds at) {
  logs_->finish(at - begin_);
  LogWindows::Rows rows = logs_->take();
  stats_.bandwidth_log = std::move(rows.bandwidth);
  stats_.iops_log = std::move(rows.iops);
  stats_.latency_log = std::move(rows.latency);
}

}  // namespace ftlab
