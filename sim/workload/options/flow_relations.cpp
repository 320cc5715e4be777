// Checks the rates, targets and ends of jobs: contradictions are refused, surprising combinations are noted.
#include <algorithm>

#include "sim/workload/options/options.h"
#include "sim/workload/options/resolve.h"

namespace ftlab {
namespace {

bool is_steady(const Draft& s) {
  return s.flow.steady && s.is_set("steadystate") && s.flow.steady->duration != Nanoseconds{0};
}

void check_rates(const Draft& s) {
  const Flow& f = s.flow;
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (f.rate_bytes_per_s[d] != 0 && f.rate_iops[d] != 0)
      s.refuse("rate_iops", "rate and rate_iops of one direction exclude each other");
    if (f.rate_bytes_per_s[d] != 0 && f.rate_bytes_per_s[d] < f.least_bytes_per_s[d])
      s.refuse("rate_min", "above the rate, so it could never be reached", "up to " + std::to_string(f.rate_bytes_per_s[d]));
    if (f.rate_iops[d] != 0 && f.rate_iops[d] < f.least_iops[d])
      s.refuse("rate_iops_min", "above rate_iops, so it could never be reached", "up to " + std::to_string(f.rate_iops[d]));
  }
}

void check_steadiness(const Draft& s) {
  if (!is_steady(s)) return;
  const Nanoseconds interval = s.flow.steady->interval, duration = s.flow.steady->duration;
  if (interval == Nanoseconds{0} || duration.count() % interval.count() != 0)
    s.refuse("steadystate_duration", "not a whole number of steadystate_check_interval");
  if (duration.count() / interval.count() > 100'000) s.refuse("steadystate_duration", "more than 100000 samples");
}

void check_waiting(const Draft& s, const std::vector<Job>& before) {
  const std::string& name = s.flow.waits_for;
  if (name.empty()) return;
  std::vector<std::string> names;
  for (const Job& job : before)
    if (job.clone == 0) names.push_back(job.name);
  const auto count = std::count(names.begin(), names.end(), name);
  if (count == 0) refuse(s.line_of("wait_for"), "no such job above this one", {}, nearest_name(name, names));
  if (count > 1) s.refuse("wait_for", "several jobs above this one have that name", "a name of its own for each");
}

// True if the job's writes could cover the region once before the samples of the steady state begin.
bool fills_region(const Draft& s, const Job& job) {
  return (s.time_based && s.runtime) || job.amount_bytes >= region_bytes(job) || s.loops > 1;
}

void note_steady(const Draft& s, const Job& job, Notes& notes) {
  if (!is_steady(s) || !s.pattern.writes) return;
  const std::uint64_t bytes = region_bytes(job);
  if (!fills_region(s, job))
    s.note(notes, "steadystate",
           "the job writes " + std::to_string(job.amount_bytes) + " bytes, less than its region of " +
               std::to_string(bytes) + " bytes: what it calls steady is a drive that is still being filled");
  else if (s.flow.steady->duration < Nanoseconds{60'000'000'000} && s.pattern.random)
    s.note(notes, "steadystate",
           "a steady state within " + std::to_string(s.flow.steady->duration.count() / 1'000'000) +
               " ms says little about random writes: unless the drive was filled before, its first pass over " +
               std::to_string(bytes) + " bytes is steady as well, and faster");
}

void note_idle_options(const Draft& s, Notes& notes) {
  const Flow& f = s.flow;
  if (f.think == Nanoseconds{0}) note_idle(s, notes, "thinktime");
  if (!f.rated()) note_idle(s, notes, "a rate");
  if (f.target.latency == Nanoseconds{0}) note_idle(s, notes, "latency_target");
  if (f.weight == 0) note_idle(s, notes, "flow");
  if (s.logs.empty()) note_idle(s, notes, "read_iolog");
  if (!s.is_set("steadystate"))
    note_idle(s, notes, "steadystate");
  else if (!is_steady(s))
    s.note(notes, "steadystate", "steadystate has no effect without steadystate_duration, as in fio");
}

// As in fio, no setting of the queue exceeds the queue depth.
void note_queue(const Draft& s, Notes& notes) {
  const std::uint64_t depth = queue_depth(s);
  const auto note = [&](const char* option, std::uint64_t value) {
    if (value > depth)
      s.note(notes, option,
             std::string(option) + " is above the queue depth and counts as " + std::to_string(depth) + ", as in fio");
  };
  note("iodepth_low", s.flow.low_depth);
  note("iodepth_batch", s.flow.submit_batch);
  note("iodepth_batch_complete_min", s.flow.reap_least);
  if (s.is_set("iodepth_batch_complete_max") && s.flow.reap_most < s.flow.reap_least)
    s.note(notes, "iodepth_batch_complete_max",
           "iodepth_batch_complete_max is below the min and counts as the min, as in fio");
}

}  // namespace

Flow effective_flow(const Draft& s) {
  Flow flow = s.flow;
  const std::uint64_t depth = queue_depth(s);
  flow.forced_writes = flow.forced_writes || s.writes_to_flash;
  flow.flush_at_end = s.end_flush || s.close_flush;
  flow.low_depth = std::min(flow.low_depth, depth);
  flow.submit_batch = flow.submit_batch == 0 ? depth : std::min(flow.submit_batch, depth);
  flow.reap_least = std::min(flow.reap_least, depth);
  flow.reap_most = std::max(flow.reap_most, flow.reap_least);
  if (!is_steady(s)) flow.steady.reset();
  return flow;
}

void check_flow(const Draft& draft, const std::vector<Job>& before) {
  check_rates(draft);
  check_steadiness(draft);
  check_waiting(draft, before);
}

void note_flow(const Draft& s, const Job& job, Notes& notes) {
  note_steady(s, job, notes);
  note_idle_options(s, notes);
  note_queue(s, notes);
  if (s.flow.barrier_every != 0)
    s.note(notes, "write_barrier",
           "a barrier is a flush before the write and the write itself to the flash; fio marks the write, but no "
           "engine of fio 3.33 does anything about it");
  if (s.flow.spin != Nanoseconds{0})
    s.note(notes, "thinktime_spin", "the host's CPU is not modelled: spinning is a pause like thinktime");
  if (s.choices.histogram_log && s.choices.histogram_interval == Nanoseconds{0})
    s.note(notes, "write_hist_log", "without log_hist_msec the histogram log stays empty, as with fio");
}

void share_exit(std::vector<Job>& jobs) {
  const bool any = std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.flow.exit_all; });
  for (Job& job : jobs) job.flow.exit_all = any;
}

}  // namespace ftlab
