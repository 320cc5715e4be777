// Tracks outstanding requests and records completions in the closed and the open loop.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/signature.h"
#include "sim/host/host.h"
#include "sim/host/jobs/flushes.h"
#include "sim/host/jobs/job_guard.h"
#include "sim/host/stack/verifier.h"
#include "sim/stats/job_recorder.h"
#include "sim/stats/series.h"

namespace ftlab {

class RequestTracker {
 public:
  // `verifier`: the device itself if it verifies, otherwise null.
  RequestTracker(Device& device, const HostOptions& options, const std::vector<Job>& jobs, Verifier* verifier = nullptr)
      : device_(device), options_(options), verifier_(verifier), series_(series_for(device.info(), options)) {
    stats_.device_before = device.counters_at(Nanoseconds{0});
    recorders_.reserve(jobs.size());
    for (const Job& job : jobs) recorders_.emplace_back(job);
  }

  JobRecorder& recorder(std::size_t job) { return recorders_[job]; }

  // Adds the request, issued at `now`, to the next batch for the device; its tag is a free slot's number. Fills in both
  // copies separately: copying data just written would stall the CPU.
  void enter(std::vector<Request>& batch, const Request& request, Nanoseconds now, std::size_t job,
             FlushKind flush = FlushKind::none) {
    if (free_.empty()) {
      free_.push_back(slots_.size());
      slots_.emplace_back();
    }
    const std::size_t slot = free_.back();
    free_.pop_back();
    ++outstanding_;
    InFlight& in_flight = slots_[slot];
    in_flight.request = request;
    in_flight.job = static_cast<std::uint32_t>(job);
    in_flight.flush = flush;
    batch.push_back(request);
    for (Request* const entered : {&in_flight.request, &batch.back()}) {
      entered->tag = slot;
      entered->issued = now;
      entered->queue = static_cast<std::uint16_t>(job);
      entered->data_only = flush == FlushKind::data;
    }
    recorders_[job].sent(in_flight.request, flush);
  }

  std::size_t job_of(const Completion& done) const { return slots_[done.tag].job; }
  const Request& request_of(const Completion& done) const { return slots_[done.tag].request; }

  void settle(const Completion& done) {
    const InFlight& was = slots_[done.tag];
    FTLAB_CHECK(done.completed >= was.request.issued, "request " + std::to_string(done.tag) + " ended before it began");
    signature_.add(done.tag << 8 | static_cast<std::uint64_t>(done.status));
    signature_.add(done.completed.count());
    while (series_.due(done.completed)) close_interval();
    if (was.request.op == Op::flush || was.flush == FlushKind::unreported)
      recorders_[was.job].add_flush(was.flush, was.request.issued, done.completed, done.status);
    else
      record(was, done);
    free_.push_back(done.tag);
    --outstanding_;
    stats_.ended = done.completed;
    if (++stats_.requests % kInterruptEvery == 0) look_up(done.completed);
  }

  // Records an error of the read's job: the read did not return what had been written.
  void report_mismatch(const Completion& done) {
    const InFlight& was = slots_[done.tag];
    const std::string text = "read of " + std::to_string(was.request.length_bytes) + " bytes at " +
                             std::to_string(was.request.offset_bytes) + ": " + verifier_->mismatch(done.tag);
    recorders_[was.job].fail(kIllegalBytes, text);
    verifier_->report("[" + recorders_[was.job].job().name + "] " + text);
  }

  std::size_t outstanding() const { return outstanding_; }
  // Ends a phase of the run: the jobs [first, end) have ended at `at`. REQUIRES: nothing is outstanding.
  void end_phase(std::size_t first, std::size_t end, Nanoseconds at) {
    const Nanoseconds from = stats_.phases.empty() ? Nanoseconds{0} : stats_.phases.back().to;
    stats_.phases.push_back({first, end, from, at, device_.counters_at(at)});
  }

  bool asked_to_leave() const { return options_.leave != nullptr && options_.leave->load(std::memory_order_relaxed); }
  Nanoseconds latest() const { return stats_.ended; }  // time of the last completion
  // True after HostOptions::enough has returned true.
  bool enough() const { return enough_; }

  RunStats finish(const std::vector<Nanoseconds>& ends) {
    for (std::size_t i = 0; i < recorders_.size(); ++i) {
      stats_.jobs.push_back(recorders_[i].finish(ends[i]));
      stats_.ended = std::max(stats_.ended, ends[i]);
    }
    stats_.device_after = device_.counters_at(stats_.ended);
    while (series_.due(stats_.ended)) series_.close(device_.counters_at(series_.boundary()));
    series_.finish(stats_.ended, stats_.device_after);
    stats_.series = series_.rows();
    stats_.signature = signature_.value();
    stats_.left_early = asked_to_leave();
    if (verifier_ != nullptr) stats_.verify = verifier_->stats();
    return std::move(stats_);
  }

 private:
  static constexpr std::uint64_t kProgressEvery = std::uint64_t{1} << 14;
  static constexpr std::uint64_t kInterruptEvery = std::uint64_t{1} << 12;
  static constexpr std::uint64_t kIntervalsOfDriveWrite = 32;

  struct InFlight {
    Request request;
    std::uint32_t job = 0;
    FlushKind flush = FlushKind::none;
  };

  void record(const InFlight& was, const Completion& done) {
    const Direction direction = direction_of(was.request.op);
    series_.add(done.completed, direction, was.request.length_bytes, done.completed - was.request.issued);
    recorders_[was.job].add(direction, was.request.offset_bytes, was.request.length_bytes, was.request.issued,
                            done.completed, done.status, done.parts);
    if (series_.full()) close_interval();
  }

  // Without a clock, intervals end by bytes written: fixed fractions of a drive write.
  static SeriesCollector series_for(const DeviceInfo& info, const HostOptions& options) {
    if (info.timed) return SeriesCollector(Nanoseconds{0}, options.series_interval);
    return SeriesCollector::by_writes(std::max<std::uint64_t>(info.capacity_bytes / kIntervalsOfDriveWrite, 1));
  }

  void close_interval() {
    series_.close(device_.counters_at(series_.boundary()));
    if (options_.enough && options_.enough(series_.rows().back())) enough_ = true;
  }

  void look_up(Nanoseconds now) {
    if (options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed)) throw Interrupted();
    if (options_.progress && stats_.requests % kProgressEvery == 0) options_.progress(now, stats_.requests);
  }

  Device& device_;
  const HostOptions& options_;
  Verifier* verifier_;
  SeriesCollector series_;
  Signature signature_;
  RunStats stats_;
  std::vector<JobRecorder> recorders_;
  std::vector<InFlight> slots_;
  std::vector<std::uint64_t> free_;
  std::size_t outstanding_ = 0;
  bool enough_ = false;
};

}  // namespace ftlab
