#include "sim/workload/flow_relations.h"

#include <algorithm>

namespace ftlab {
namespace {

class Checks {
 public:
  Checks(const Settings& settings, const Section& section) : s_(settings), f_(settings.flow), section_(section) {}

  void rates() const {
    for (std::size_t d = 0; d < kDirectionCount; ++d) {
      if (f_.rate_bytes_per_s[d] != 0 && f_.rate_iops[d] != 0)
        refuse(line("rate_iops"), "rate and rate_iops of one direction exclude each other");
      if (f_.rate_bytes_per_s[d] != 0 && f_.rate_bytes_per_s[d] < f_.least_bytes_per_s[d])
        refuse(line("rate_min"), "above the rate, so it could never be reached", "up to " + std::to_string(f_.rate_bytes_per_s[d]));
      if (f_.rate_iops[d] != 0 && f_.rate_iops[d] < f_.least_iops[d])
        refuse(line("rate_iops_min"), "above rate_iops, so it could never be reached", "up to " + std::to_string(f_.rate_iops[d]));
    }
    if (f_.poisson && !f_.rated()) refuse(line("rate_process"), "there is no rate whose gaps it could draw", "rate or rate_iops beside it");
    if (f_.rate_ignores_thinking && (!f_.rated() || f_.think == Nanoseconds{0}))
      refuse(line("rate_ignore_thinktime"), "means nothing without a rate and a thinktime");
  }

  void thinking() const {
    if (f_.think != Nanoseconds{0}) return;
    for (const char* option : {"thinktime_spin", "thinktime_iotime", "thinktime_blocks", "thinktime_blocks_type"})
      if (s_.written.count(option) != 0 && s_.written.count("thinktime") == 0)
        refuse(line(option), "means nothing without thinktime", "thinktime=TIME beside it");
  }

  void queue() const {
    const std::uint64_t depth = s_.synchronous ? 1 : s_.depth;
    if (f_.low_depth > s_.depth) refuse(line("iodepth_low"), "above iodepth", "0 to " + std::to_string(s_.depth));
    if (f_.submit_batch > s_.depth) refuse(line("iodepth_batch"), "above iodepth", "1 to " + std::to_string(s_.depth));
    if (f_.reap_least > std::max<std::uint64_t>(1, s_.depth))
      refuse(line("iodepth_batch_complete_min"), "above iodepth, so it would wait for ever", "0 to " + std::to_string(s_.depth));
    if (s_.written.count("iodepth_batch_complete_max") != 0 && f_.reap_most < f_.reap_least)
      refuse(line("iodepth_batch_complete_max"), "below iodepth_batch_complete_min", "from " + std::to_string(f_.reap_least));
    if (f_.offload && f_.serialize_overlap && depth > 1 && s_.written.count("verify") != 0)
      refuse(line("serialize_overlap"), "cannot be combined with io_submit_mode=offload and verify");
  }

  void targets() const {
    const bool searches = f_.target.latency != Nanoseconds{0};
    if (searches && f_.target.window == Nanoseconds{0})
      refuse(line("latency_target"), "needs a window over which it is looked at", "latency_window=TIME beside it");
    if (!searches && (f_.target.window != Nanoseconds{0} || f_.target.keeps_running))
      refuse(line(f_.target.keeps_running ? "latency_run" : "latency_window"), "means nothing without latency_target");
    if (searches && s_.synchronous) refuse(line("latency_target"), "searches a queue depth, but the engine is synchronous", "ioengine=libaio");
    if (!f_.steady) return;
    if (s_.written.count("steadystate") == 0)
      refuse(line(steady_option()), "means nothing without steadystate", "as in steadystate=iops:20%");
    if (f_.steady->duration == Nanoseconds{0})
      refuse(line("steadystate"), "needs a duration over which it is looked at", "steadystate_duration=TIME beside it");
    if (f_.steady->interval == Nanoseconds{0} || f_.steady->duration.count() % f_.steady->interval.count() != 0)
      refuse(line("steadystate_duration"), "not a whole number of steadystate_check_interval");
    if (f_.steady->duration.count() / f_.steady->interval.count() > 100'000)
      refuse(line("steadystate_duration"), "more than 100000 samples");
  }

  void waiting(const std::vector<Job>& before) const {
    if (f_.waits_for.empty()) return;
    std::vector<std::string> names;
    for (const Job& job : before)
      if (job.clone == 0) names.push_back(job.name);
    const auto count = std::count(names.begin(), names.end(), f_.waits_for);
    if (count == 0) refuse(line("wait_for"), "no such job above this one", {}, nearest_name(f_.waits_for, names));
    if (count > 1) refuse(line("wait_for"), "several jobs above this one have that name", "a name of its own for each");
  }

  void sharing() const {
    if (f_.weight != 0) return;
    for (const char* option : {"flow_id", "flow_sleep"})
      if (s_.written.count(option) != 0 && s_.written.count("flow") == 0)
        refuse(line(option), "means nothing without flow", "flow=WEIGHT beside it");
  }

 private:
  Setting line(const char* option) const { return line_of(s_, section_, option); }

  const char* steady_option() const {
    for (const char* option : {"steadystate_duration", "steadystate_ramp_time"})
      if (s_.written.count(option) != 0) return option;
    return "steadystate_check_interval";
  }

  const Settings& s_;
  const Flow& f_;
  const Section& section_;
};

class Notes {
 public:
  Notes(const Settings& settings, const Section& section, std::vector<Note>& notes)
      : settings_(settings), section_(section), notes_(notes) {}

  void add(const char* option, std::string text) {
    const Setting line = line_of(settings_, section_, option);
    notes_.push_back({line.place.file, line.place.line, "[" + printable(section_.name) + "] " + std::move(text)});
  }

 private:
  const Settings& settings_;
  const Section& section_;
  std::vector<Note>& notes_;
};

// Whether its writes could cover the region once before the samples of the steady state begin.
bool fills_region(const Settings& s, const Region& region) {
  const std::uint64_t bytes = region.end_bytes - region.first_bytes;
  const bool endless = s.time_based && s.runtime;
  return endless || region.amount_bytes >= bytes || s.loops > 1;
}

void note_steady(const Settings& s, const Region& region, Notes& notes) {
  if (!s.flow.steady || !s.pattern.writes) return;
  const std::uint64_t bytes = region.end_bytes - region.first_bytes;
  if (!fills_region(s, region))
    notes.add("steadystate", "the job writes " + std::to_string(region.amount_bytes) + " bytes, less than its region of " +
                                 std::to_string(bytes) + " bytes: what it calls steady is a drive that is still being filled");
  else if (s.flow.steady->duration < Nanoseconds{60'000'000'000} && s.pattern.random)
    notes.add("steadystate", "a steady state within " + std::to_string(s.flow.steady->duration.count() / 1'000'000) +
                                 " ms says little about random writes: unless the drive was filled before, its first pass over " +
                                 std::to_string(bytes) + " bytes is steady as well, and faster");
}

}  // namespace

void check_flow(const Settings& settings, const Section& section, const std::vector<Job>& before) {
  const Checks checks(settings, section);
  checks.rates();
  checks.thinking();
  checks.queue();
  checks.targets();
  checks.waiting(before);
  checks.sharing();
}

void note_flow(const Settings& s, const Section& section, const Region& region, std::vector<Note>& notes) {
  Notes here(s, section, notes);
  note_steady(s, region, here);
  if (s.flow.barrier_every != 0)
    here.add("write_barrier", "a barrier is a flush before the write and the write itself to the flash; fio marks the write, but no "
                              "engine of fio 3.33 does anything about it");
  if (s.flow.spin != Nanoseconds{0})
    here.add("thinktime_spin", "the host's CPU is not modelled: spinning is a pause like thinktime");
  if (s.wishes.histogram_log && s.wishes.histogram_interval == Nanoseconds{0})
    here.add("write_hist_log", "without log_hist_msec the histogram log stays empty, as with fio");
}

void share_exit(std::vector<Job>& jobs) {
  const bool any = std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.flow.exit_all; });
  for (Job& job : jobs) job.flow.exit_all = any;
}

}  // namespace ftlab
