// Pace of a job: its rates and its think times. Times are those of the device's clock, simulated or real.
#pragma once

#include <optional>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Rates as in fio: a request is due when the requests before it would have been transferred at the rate. A job that is
// behind catches up as fast as it can. A Poisson process draws its gaps instead (exponential, mean block / rate), with the
// same catching up.
class Rates {
 public:
  Rates(const Job& job, std::uint64_t seed);

  // Starts counting at `at`; requests missed before are not caught up.
  void restart(Nanoseconds at);
  bool limits(Direction d) const { return bytes_per_s_[index(d)] != 0; }
  // Time at which the next request of `d` is due; the start of the job if `d` has no rate.
  Nanoseconds due(Direction d) const { return due_[index(d)]; }
  // Mixed jobs only: direction of the next request at `now`; nullopt if both are due, so that the random mix decides.
  std::optional<Direction> turn(Nanoseconds now) const;
  void issued(Direction d, std::uint64_t bytes);
  // rate_ignore_thinktime: requests missed in `time` of thinking are not caught up. Affects the direction of the last
  // request.
  void forgive(Nanoseconds time);

 private:
  static std::size_t index(Direction d) { return static_cast<std::size_t>(d); }
  Nanoseconds exponential_gap(std::size_t d);

  bool poisson_;
  PerDirection<std::uint64_t> block_bytes_;
  PerDirection<std::uint64_t> bytes_per_s_{};
  PerDirection<std::uint64_t> bytes_{};  // issued since restart()
  PerDirection<Nanoseconds> shift_{};    // time forgiven, or gaps drawn
  PerDirection<Nanoseconds> due_{};
  Nanoseconds begin_{0};
  Direction last_ = Direction::read;
  RandomStream gaps_;
};

// Pauses of one job: fio's thinktime, after a number of requests or a time, and pauses because the job is ahead of its rate
// or of its share. For most of them its queue must drain first.
class Pauses {
 public:
  explicit Pauses(const Flow& flow);

  void restart(Nanoseconds at) { last_ = at; }
  void issued() {
    ++issued_;
    checked_ = false;
  }
  // True if thinktime is due after `reaped` completed requests; checked once after each request. The queue must then drain.
  bool due(Nanoseconds now, std::uint64_t reaped);

  // Drains the queue, without a pause after it.
  void drain_queue() { draining_ = true; }
  bool draining() const { return draining_; }
  // The queue is empty. Returns the length of the pause that begins now; 0 if none is due.
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
  std::uint64_t seen_ = 0;  // requests issued or reaped at the last pause
  Nanoseconds last_{0};     // end of the last pause
  bool checked_ = true;     // since the last request
  bool draining_ = false;
  bool thinks_ = false;  // pauses once the queue is empty
  Nanoseconds asleep_until_{0};
};

}  // namespace ftlab
