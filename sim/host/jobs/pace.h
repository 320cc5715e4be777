// How fast a job may go: its rates, and the pauses in which it thinks. Times are the clock of the device, simulated or not.
#pragma once

#include <optional>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Rates as fio keeps them: a request is due when those before it would have taken their time at the rate. A job that is
// behind catches up as fast as it can; a Poisson process draws its gaps instead (exponential, mean block / rate), with the
// same catching up.
class Rates {
 public:
  Rates(const Job& job, std::uint64_t seed);

  // Counts from here; what was missed before is forgiven.
  void restart(Nanoseconds at);
  bool limits(Direction d) const { return bytes_per_s_[index(d)] != 0; }
  // When the next request of `d` is due; the start of the job when there is no rate.
  Nanoseconds due(Direction d) const { return due_[index(d)]; }
  // Of a mixed job: the direction whose turn it is at `now`; nothing when both are due, so that the coin decides.
  std::optional<Direction> turn(Nanoseconds now) const;
  void issued(Direction d, std::uint64_t bytes);
  // rate_ignore_thinktime: `time` of thinking counts as time in which requests were missed and are not caught up. Of the
  // direction of the last request.
  void forgive(Nanoseconds time);

 private:
  static std::size_t index(Direction d) { return static_cast<std::size_t>(d); }
  Nanoseconds exponential_gap(std::size_t d);

  bool poisson_;
  PerDirection<std::uint64_t> block_bytes_;
  PerDirection<std::uint64_t> bytes_per_s_{};
  PerDirection<std::uint64_t> bytes_{};  // issued since the restart
  PerDirection<Nanoseconds> shift_{};    // forgiven, or drawn
  PerDirection<Nanoseconds> due_{};
  Nanoseconds begin_{0};
  Direction last_ = Direction::read;
  RandomStream gaps_;
};

// The pauses of one job. For most of them its queue must run empty first: fio's thinktime, after so many requests or so much
// time; a job that is ahead of its rate or of its share.
class Pauses {
 public:
  explicit Pauses(const Flow& flow);

  void restart(Nanoseconds at) { last_ = at; }
  void issued() {
    ++issued_;
    checked_ = false;
  }
  // Looks once after each request whether thinktime is due, when `reaped` requests have come back. Then the queue must run
  // empty.
  bool due(Nanoseconds now, std::uint64_t reaped);

  // The queue must run empty, without a pause behind it.
  void drain_queue() { draining_ = true; }
  bool draining() const { return draining_; }
  // The queue is empty. Returns the length of the pause that begins now: 0 without one.
  Nanoseconds queue_empty(Nanoseconds now);

  void sleep(Nanoseconds until) { asleep_until_ = until; }
  Nanoseconds asleep_until() const { return asleep_until_; }

 private:
  Nanoseconds length_;
  std::optional<Nanoseconds> every_;
  std::uint64_t blocks_;
  bool counts_blocks_;
  bool counts_issued_;
  std::uint64_t issued_ = 0;
  std::uint64_t seen_ = 0;  // of issued or reaped, at the last pause
  Nanoseconds last_{0};     // end of the last pause
  bool checked_ = true;     // since the last request
  bool draining_ = false;
  bool thinks_ = false;  // once the queue is empty
  Nanoseconds asleep_until_{0};
};

}  // namespace ftlab
