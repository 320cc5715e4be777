#include "sim/stats/job_recorder.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "sim/stats/rate.h"

namespace ftlab {

JobRecorder::JobRecorder(const Job& job) {
  stats_.job = &job;
  open_logs();
}

void JobRecorder::open_logs() {
  const Job& job = *stats_.job;
  const LogWindows::Wanted wanted{job.bandwidth_log.has_value(), job.iops_log.has_value(), job.latency_log.has_value(),
                                  job.choices.log_largest};
  if (wanted.bandwidth || wanted.iops || wanted.latency) logs_.emplace(job.log_interval, wanted);
  if (job.choices.histogram_log && job.choices.histogram_interval != Nanoseconds{0})
    histograms_.emplace(job.choices.histogram_interval);
}

void JobRecorder::begin(Nanoseconds at) {
  FTLAB_CHECK(begin_ == kNever, "job " + stats_.job->name + " begins twice");
  begin_ = at;
  bandwidth_.begin(at, stats_.job->choices.bandwidth_window);
  iops_.begin(at, stats_.job->choices.iops_window);
  window_end_ = std::min(bandwidth_.end, iops_.end);
  stats_.started = at;
  stats_.ended = at;
}

void JobRecorder::restart_measurement(Nanoseconds at) {
  FTLAB_CHECK(begin_ != kNever && at >= stats_.ended, "job " + stats_.job->name + " restarts its measurement too early");
  JobStats anew;
  anew.job = stats_.job;
  anew.error = stats_.error;
  anew.problem = stats_.problem;
  stats_ = std::move(anew);
  begin_ = kNever;
  open_logs();
  begin(at);
}

void JobRecorder::add_flush(FlushKind kind, Nanoseconds issued, Nanoseconds completed, Status status) {
  if (completed < begin_) return;
  FTLAB_CHECK(completed >= stats_.ended && completed >= issued, "flushed at " + std::to_string(completed.count()));
  stats_.ended = completed;
  if (kind == FlushKind::unreported || status != Status::ok) return;
  if (kind == FlushKind::full) ++stats_.flushes.full;
  stats_.flushes.latency.add(completed - issued);
}

void JobRecorder::issued(Nanoseconds at, std::uint64_t depth) {
  if (!stats_.by_depth) stats_.by_depth.emplace();
  if (at < begin_) return;
  ++(*stats_.by_depth)[std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(depth)) - 1, 6)];
}

void JobRecorder::fail(int error, const std::string& problem) {
  if (stats_.error != 0) return;
  stats_.error = error;
  stats_.problem = problem;
}

void JobRecorder::set_batches(const BatchLevels& submits, const BatchLevels& reaps) {
  stats_.submits = submits;
  stats_.reaps = reaps;
}

JobStats JobRecorder::finish(Nanoseconds at) {
  FTLAB_CHECK(begin_ != kNever, "job " + stats_.job->name + " ends without having begun");
  FTLAB_CHECK(at >= stats_.ended, "job " + stats_.job->name + " ends before its last completion");
  if (at >= window_end_) close_samples_before(at + Nanoseconds{1});
  stats_.ended = at;
  stats_.parts = stats_.parts_by_latency.total();
  take_logs(at);
  return std::move(stats_);
}

void JobRecorder::Window::begin(Nanoseconds at, Nanoseconds of_length) {
  length = of_length;
  end = at + of_length;
}

// Skips empty windows at once.
void JobRecorder::Window::step_to(Nanoseconds at) {
  amounts = {};
  const std::uint64_t passed = (at - end).count() + length.count() - 1;
  end += length * (passed / length.count());
}

// A completion at the end of a window belongs to that window.
void JobRecorder::close_samples_before(Nanoseconds at) {
  if (at > bandwidth_.end) close_bandwidth_before(at);
  if (at > iops_.end) close_iops_before(at);
  window_end_ = std::min(bandwidth_.end, iops_.end);
}

// As in fio, a direction without completions in a window gives no sample.
void JobRecorder::close_bandwidth_before(Nanoseconds at) {
  for (std::size_t d = 0; d < kDirectionCount; ++d)
    if (bandwidth_.amounts[d] != 0)
      stats_.directions[d].bandwidth_samples_kib_s.push_back(kib_per_s(bandwidth_.amounts[d], bandwidth_.length));
  bandwidth_.step_to(at);
}

void JobRecorder::close_iops_before(Nanoseconds at) {
  for (std::size_t d = 0; d < kDirectionCount; ++d)
    if (iops_.amounts[d] != 0) stats_.directions[d].iops_samples.push_back(per_s(iops_.amounts[d], iops_.length));
  iops_.step_to(at);
}

void JobRecorder::take_logs(Nanoseconds at) {
  if (histograms_) stats_.histogram_log = histograms_->take(at - begin_);
  if (!logs_) return;
  logs_->finish(at - begin_);
  LogWindows::Rows rows = logs_->take();
  stats_.bandwidth_log = std::move(rows.bandwidth);
  stats_.iops_log = std::move(rows.iops);
  stats_.latency_log = std::move(rows.latency);
}

}  // namespace ftlab
