// The jobs between two stonewalls: which of them are waiting, running or ended, and which may start (startdelay, wait_for).
#pragma once

#include <string>
#include <vector>

#include "sim/workload/jobs/job.h"

namespace ftlab {

class JobRoster {
 public:
  // Jobs [first, end) of the file; each may start at `at` plus its own delay. `seed` draws the delays that are ranges.
  // `jobs` must outlive the roster.
  JobRoster(const std::vector<Job>& jobs, std::size_t first, std::size_t end, Nanoseconds at, std::uint64_t seed);

  std::size_t first() const { return first_; }
  std::size_t end() const { return first_ + states_.size(); }
  bool all_ended() const { return live_ == 0; }
  bool waits(std::size_t job) const { return state(job) == State::waiting; }
  bool runs(std::size_t job) const { return state(job) == State::running; }
  bool has_ended(std::size_t job) const { return state(job) == State::ended; }

  // End of the job's start delay.
  Nanoseconds starts_at(std::size_t job) const { return starts_[job - first_]; }
  // True if an earlier job with the name given by its wait_for has not ended.
  bool must_wait(std::size_t job) const;
  // Jobs that may start because all jobs with this name have ended.
  std::vector<std::size_t> released_by(const std::string& name) const;

  void start(std::size_t job) { states_[job - first_] = State::running; }
  // REQUIRES: the job has not ended.
  void end(std::size_t job) {
    states_[job - first_] = State::ended;
    --live_;
  }

 private:
  enum class State : std::uint8_t { waiting, running, ended };
  State state(std::size_t job) const { return states_[job - first_]; }

  const std::vector<Job>& jobs_;
  std::size_t first_;
  std::size_t live_;
  std::vector<State> states_;
  std::vector<Nanoseconds> starts_;
};

}  // namespace ftlab
