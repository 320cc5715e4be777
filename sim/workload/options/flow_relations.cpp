#include "sim/workload/options/flow_relations.h"

#include <algorithm>
#include <initializer_list>
#include "sim/workload/options/section_notes.h"

namespace ftlab {
namespace {

bool is_steady(const Settings& s) {
  return s.flow.steady && s.written.count("steadystate") != 0 && s.flow.steady->duration != Nanoseconds{0};
}

class Checks {
 public:
  Checks(const Settings& settings, const Section& section) : s_(settings), f_(settings.flow), section_(section) {}

  void rates() const {
    for (std::size_t d = 0; d < kDirectionCount; ++d) {
      if (f_.rate_bytes_per_s[d] != 0 && f_.rate_iops[d] != 0)
        refuse(line("rate_iops"), "rate and rate_iops of one direction exclude each other");
      if (f_.rate_bytes_per_s[d] != 0 && f_.rate_bytes_per_s[d] < f_.least_bytes_per_s[d])
        refuse(line("rate_min"), "above the rate, so it could never be reached",
               "up to " + std::to_string(f_.rate_bytes_per_s[d]));
      if (f_.rate_iops[d] != 0 && f_.rate_iops[d] < f_.least_iops[d])
        refuse(line("rate_iops_min"), "above rate_iops, so it could never be reached",
               "up to " + std::to_string(f_.rate_iops[d]));
    }
  }

  void steadiness() const {
    if (!is_steady(s_)) return;
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

 private:
  Setting line(const char* option) const { return line_of(s_, section_, option); }

  const Settings& s_;
  const Flow& f_;
  const Section& section_;
};

// Notes those of the options that are set but have no effect.
void add_idle(SectionNotes& notes, std::initializer_list<const char*> options, const char* without) {
  for (const char* option : options)
    if (notes.is_set(option)) notes.add(option, std::string(option) + " has no effect without " + without + ", as in fio");
}

// True if the job's writes could cover the region once before the samples of the steady state begin.
bool fills_region(const Settings& s, const Region& region) {
  const std::uint64_t bytes = region.end_bytes - region.first_bytes;
  const bool endless = s.time_based && s.runtime;
  return endless || region.amount_bytes >= bytes || s.loops > 1;
}

void note_steady(const Settings& s, const Region& region, SectionNotes& notes) {
  if (!is_steady(s) || !s.pattern.writes) return;
  const std::uint64_t bytes = region.end_bytes - region.first_bytes;
  if (!fills_region(s, region))
    notes.add("steadystate", "the job writes " + std::to_string(region.amount_bytes) + " bytes, less than its region of " +
                                 std::to_string(bytes) +
                                 " bytes: what it calls steady is a drive that is still being filled");
  else if (s.flow.steady->duration < Nanoseconds{60'000'000'000} && s.pattern.random)
    notes.add("steadystate",
              "a steady state within " + std::to_string(s.flow.steady->duration.count() / 1'000'000) +
                  " ms says little about random writes: unless the drive was filled before, its first pass over " +
                  std::to_string(bytes) + " bytes is steady as well, and faster");
}

void note_idle(const Settings& s, SectionNotes& notes) {
  const Flow& f = s.flow;
  if (f.think == Nanoseconds{0})
    add_idle(notes, {"thinktime_spin", "thinktime_iotime", "thinktime_blocks", "thinktime_blocks_type"}, "thinktime");
  if (!f.rated()) add_idle(notes, {"rate_process", "rate_ignore_thinktime"}, "a rate");
  if (f.target.latency == Nanoseconds{0})
    add_idle(notes, {"latency_window", "latency_percentile", "latency_run"}, "latency_target");
  if (f.weight == 0) add_idle(notes, {"flow_id", "flow_sleep"}, "flow");
  if (s.replay.logs.empty())
    add_idle(notes,
             {"read_iolog_chunked", "replay_no_stall", "replay_time_scale", "replay_scale", "replay_align",
              "replay_redirect", "replay_skip"},
             "read_iolog");
  if (s.written.count("steadystate") == 0)
    add_idle(notes, {"steadystate_duration", "steadystate_ramp_time", "steadystate_check_interval"}, "steadystate");
  else if (!is_steady(s))
    add_idle(notes, {"steadystate"}, "steadystate_duration");
}

// As in fio, no setting of the queue exceeds the queue depth.
void note_queue(const Settings& s, SectionNotes& notes) {
  const std::uint64_t depth = s.engine.synchronous ? 1 : s.depth;
  const auto note = [&](const char* option, std::uint64_t value) {
    if (value > depth)
      notes.add(option,
                std::string(option) + " is above the queue depth and counts as " + std::to_string(depth) + ", as in fio");
  };
  note("iodepth_low", s.flow.low_depth);
  note("iodepth_batch", s.flow.submit_batch);
  note("iodepth_batch_complete_min", s.flow.reap_least);
  if (s.written.count("iodepth_batch_complete_max") != 0 && s.flow.reap_most < s.flow.reap_least)
    notes.add("iodepth_batch_complete_max", "iodepth_batch_complete_max is below the min and counts as the min, as in fio");
}

}  // namespace

Flow effective_flow(const Settings& s) {
  Flow flow = s.flow;
  const std::uint64_t depth = s.engine.synchronous ? 1 : s.depth;
  flow.forced_writes = flow.forced_writes || s.writes_to_flash;
  flow.flush_at_end = s.end_flush || s.close_flush;
  flow.low_depth = std::min(flow.low_depth, depth);
  flow.submit_batch = flow.submit_batch == 0 ? depth : std::min(flow.submit_batch, depth);
  flow.reap_least = std::min(flow.reap_least, depth);
  flow.reap_most = std::max(flow.reap_most, flow.reap_least);
  if (!is_steady(s)) flow.steady.reset();
  return flow;
}

void check_flow(const Settings& settings, const Section& section, const std::vector<Job>& before) {
  const Checks checks(settings, section);
  checks.rates();
  checks.steadiness();
  checks.waiting(before);
}

void note_flow(const Settings& s, const Section& section, const Region& region, std::vector<Note>& notes) {
  SectionNotes here(s, section, notes);
  note_steady(s, region, here);
  note_idle(s, here);
  note_queue(s, here);
  if (s.flow.barrier_every != 0)
    here.add("write_barrier",
             "a barrier is a flush before the write and the write itself to the flash; fio marks the write, but no "
             "engine of fio 3.33 does anything about it");
  if (s.flow.spin != Nanoseconds{0})
    here.add("thinktime_spin", "the host's CPU is not modelled: spinning is a pause like thinktime");
  if (s.choices.histogram_log && s.choices.histogram_interval == Nanoseconds{0})
    here.add("write_hist_log", "without log_hist_msec the histogram log stays empty, as with fio");
}

void share_exit(std::vector<Job>& jobs) {
  const bool any = std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.flow.exit_all; });
  for (Job& job : jobs) job.flow.exit_all = any;
}

}  // namespace ftlab
