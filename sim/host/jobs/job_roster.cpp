#include "sim/host/jobs/job_roster.h"

#include "sim/core/random.h"

namespace ftlab {

namespace {

Nanoseconds delay_of(const Job& job, std::uint64_t seed) {
  if (job.flow.start_delay_most <= job.start_delay) return job.start_delay;
  RandomStream random(seed ^ (job.seed + job.number * 0x9e3779b97f4a7c15), "start delay");
  return job.start_delay + Nanoseconds{random.below((job.flow.start_delay_most - job.start_delay).count() + 1)};
}

}  // namespace

JobRoster::JobRoster(const std::vector<Job>& jobs, std::size_t first, std::size_t end, Nanoseconds at, std::uint64_t seed)
    : jobs_(jobs), first_(first), live_(end - first), states_(live_, State::waiting) {
  for (std::size_t job = first; job < end; ++job) starts_.push_back(at + delay_of(jobs_[job], seed));
}

bool JobRoster::must_wait(std::size_t job) const {
  if (jobs_[job].flow.waits_for.empty()) return false;
  for (std::size_t other = first_; other < job; ++other)
    if (jobs_[other].name == jobs_[job].flow.waits_for && !has_ended(other)) return true;
  return false;
}

std::vector<std::size_t> JobRoster::released_by(const std::string& name) const {
  std::vector<std::size_t> released;
  for (std::size_t job = first_; job < end(); ++job)
    if (jobs_[job].flow.waits_for == name && waits(job) && !must_wait(job)) released.push_back(job);
  return released;
}

}  // namespace ftlab
