#include "sim/host/host.h"

#include <algorithm>
#include <array>
#include <memory>

#include "sim/host/job_group.h"

namespace ftlab {
namespace {

constexpr std::size_t kWaitBatch = 64;

std::vector<JobRun> runs_of(const std::vector<Job>& jobs, std::uint64_t seed, HostZones* zones) {
  std::vector<JobRun> runs(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bool zoned = jobs[i].zbd.on && !jobs[i].replay;
    if (jobs[i].flow.paced() || jobs[i].replay || zoned)
      runs[i].paced = std::make_unique<RateControlledJob>(jobs[i], seed, zoned ? zones : nullptr);
    else
      runs[i].plain.emplace(jobs[i], seed);
  }
  return runs;
}

}  // namespace

std::string untimed_problem(const Job& job) {
  const auto without_clock = [](const char* what) { return std::string("an untimed run has no clock for ") + what; };
  if (job.time_based || job.runtime)
    return "an untimed run has no clock that could end a runtime; bound the job by size or io_size";
  if (job.ramp.count() > 0) return without_clock("ramp_time");
  if (job.start_delay.count() > 0 || job.flow.start_delay_most.count() > 0) return without_clock("startdelay");
  const Flow& flow = job.flow;
  if (flow.rated()) return without_clock("rate and rate_iops");
  if (flow.think.count() > 0) return without_clock("thinktime");
  if (flow.target.latency.count() > 0) return without_clock("latency_target");
  if (flow.steady) return without_clock("steadystate");
  if (flow.flow_sleep.count() > 0) return without_clock("flow_sleep");
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (flow.least_bytes_per_s[d] > 0 || flow.least_iops[d] > 0) return without_clock("rate_min and rate_iops_min");
    if (flow.longest[d].count() > 0) return without_clock("max_latency");
  }
  if (job.replay && job.replay->at_recorded_times)
    return without_clock("the recorded times of read_iolog (replay_no_stall=1)");
  if (job.choices.histogram_interval.count() > 0) return without_clock("log_hist_msec");
  return {};
}

RunStats run_jobs(Device& bare, const std::vector<Job>& jobs, const HostOptions& options) {
  const std::unique_ptr<Verifier> verifier = Verifier::of(bare, jobs);
  Device& device = verifier ? *verifier : bare;
  RequestTracker tracker(device, options, jobs, verifier.get());
  const std::unique_ptr<HostZones> zones = HostZones::of(device, jobs);
  std::vector<JobRun> runs = runs_of(jobs, options.seed, zones.get());
  std::vector<Nanoseconds> ends(jobs.size());
  Nanoseconds job_group_start{0};
  bool quits = false;
  for (std::size_t first = 0; first < jobs.size();) {
    std::size_t end = first + 1;
    while (end < jobs.size() && jobs[end].job_group == jobs[first].job_group) ++end;
    if (quits) {
      for (; first < end; ++first) tracker.recorder(first).begin(ends[first] = job_group_start);
      continue;
    }
    JobGroup job_group(device, tracker, jobs, runs, ends, JobRoster(jobs, first, end, job_group_start, options.seed));
    job_group.run();
    quits = job_group.quits();
    job_group_start = std::max(job_group_start, *std::max_element(ends.begin() + first, ends.begin() + end));
    tracker.end_phase(first, end, job_group_start);
    first = end;
  }
  return tracker.finish(ends);
}

RunStats run_open_loop(Device& device, const std::function<bool(Arrival&)>& next, const Job& description,
                       const HostOptions& options, PowerSwitch* power) {
  const std::vector<Job> jobs{description};
  RequestTracker tracker(device, options, jobs);
  tracker.recorder(0).begin(Nanoseconds{0});
  std::array<Completion, kWaitBatch> done;
  std::vector<Request> batch;
  Nanoseconds now{0};
  Arrival arrival;
  bool more = next(arrival);
  while (more || tracker.outstanding() > 0) {
    const Nanoseconds at = std::max(arrival.at, now);
    const bool needs_rest = arrival.power.kind == PowerEvent::Kind::watch_flash && tracker.outstanding() > 0;
    const std::size_t count = device.wait(more && !needs_rest ? at : kNever, done);
    for (std::size_t i = 0; i < count; ++i) tracker.settle(done[i]);
    if (count > 0) {
      now = done[count - 1].completed;
      continue;
    }
    FTLAB_CHECK(more && !needs_rest, std::to_string(tracker.outstanding()) + " requests never came back");
    now = at;
    if (!arrival.power) {
      if (at > arrival.at) power->held_up();  // only power events delay an arrival
      batch.clear();
      tracker.enter(batch, arrival.request, at, 0);
      device.submit(batch);
    } else if (arrival.power.kind == PowerEvent::Kind::cut) {
      now = std::max(now, power->cut(tracker, at, arrival.power.fates));
    } else {
      power->watch_flash();
    }
    more = next(arrival);
  }
  return tracker.finish({tracker.latest()});
}

}  // namespace ftlab
