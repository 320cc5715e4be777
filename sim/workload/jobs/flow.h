// When a job issues its requests, and when it ends: the paces, pauses, flushes and targets of fio. The defaults are a job
// that keeps its queue full until its amount is done; such a job is not "paced", and costs nothing of all this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/direction.h"

namespace ftlab {

// fio's latency_target: the largest depth at which `percentile` of the requests of a window stay below `latency`.
struct LatencyTarget {
  Nanoseconds latency{0};  // 0: none
  Nanoseconds window{0};
  double percentile = 100;
  bool keeps_running = false;  // latency_run: goes on searching until the job's own end
};

// fio's steadystate: the job ends when samples of one interval have met the criterion over `duration`.
struct SteadyCriterion {
  // Of requests per second, of bytes per second, or the mean completion latency in nanoseconds.
  enum class Figure : std::uint8_t { iops, bandwidth, latency } figure = Figure::iops;
  bool slope = false;  // of a line through the samples, or the largest distance of a sample from their mean
  double limit = 0;
  bool percent = false;  // of the mean
  Nanoseconds duration{0};
  Nanoseconds ramp{0};  // after the job's own ramp, before the first sample
  Nanoseconds interval{1'000'000'000};
};

// For the drive all flushes are the same; the report tells them apart as fio does.
enum class FlushKind : std::uint8_t { none, full, data, unreported };

// Whom the end of a job ends as well (exitall).
enum class ExitScope : std::uint8_t { group, running, all };

struct Flow {
  PerDirection<std::uint64_t> rate_bytes_per_s{};  // 0: none
  PerDirection<std::uint64_t> rate_iops{};
  PerDirection<std::uint64_t> least_bytes_per_s{};  // rate_min: the job fails below it
  PerDirection<std::uint64_t> least_iops{};
  Nanoseconds rate_cycle{1'000'000'000};  // over which the least rates are looked at
  bool poisson = false;                   // exponential gaps
  bool rate_ignores_thinking = false;

  Nanoseconds think{0};
  Nanoseconds spin{0};                        // of `think`, or more; the host's CPU is not modelled
  std::optional<Nanoseconds> think_every;     // thinktime_iotime
  std::optional<std::uint64_t> think_blocks;  // requests between two pauses; 1 when neither is given
  bool think_counts_issued = false;           // and not what has completed

  std::uint64_t flush_every = 0;       // fsync: a flush after as many writes
  std::uint64_t data_flush_every = 0;  // fdatasync: the same for the drive, counted apart as fio does
  std::uint64_t barrier_every = 0;     // a flush before, and the write itself to the flash
  bool forced_writes = false;          // sync=1, dsync: each write to the flash
  bool flush_at_end = false;           // end_fsync, fsync_on_close: one flush, as with fio
  bool flush_keeps_queue = false;      // io_uring: others are issued beside a flush; else it is awaited

  std::uint64_t low_depth = 0;  // iodepth_low; 0: as deep as the queue
  std::uint64_t submit_batch = 1;
  std::uint64_t reap_least = 1;  // iodepth_batch_complete_min
  std::uint64_t reap_most = 1;
  bool offload = false;  // io_submit_mode: waiting for a rate does not drain the queue
  bool serialize_overlap = false;

  LatencyTarget target;
  PerDirection<Nanoseconds> longest{};  // max_latency: the job fails beyond it; 0: none
  std::optional<SteadyCriterion> steady;

  Nanoseconds start_delay_most{0};  // startdelay=5-10: drawn for each job; 0: no range
  std::string waits_for;            // the name of the jobs that must have ended first
  bool exit_all = false;            // the end of any job of the file ends others
  bool exit_all_on_error = false;
  ExitScope exit_scope = ExitScope::group;

  std::uint64_t weight = 0;  // flow: share of the requests among the jobs of one flow_id
  std::uint64_t flow_id = 0;
  Nanoseconds flow_sleep{0};

  bool rated() const {
    for (std::size_t d = 0; d < kDirectionCount; ++d)
      if (rate_bytes_per_s[d] != 0 || rate_iops[d] != 0) return true;
    return false;
  }
  bool watched() const {
    for (std::size_t d = 0; d < kDirectionCount; ++d)
      if (least_bytes_per_s[d] != 0 || least_iops[d] != 0 || longest[d] != Nanoseconds{0}) return true;
    return exit_all_on_error;
  }
  bool flushes() const {
    return flush_every != 0 || data_flush_every != 0 || barrier_every != 0 || forced_writes || flush_at_end;
  }
  bool queues_otherwise() const {
    return low_depth != 0 || submit_batch != 1 || reap_least != 1 || reap_most != 1 || serialize_overlap;
  }
  // Whether anything but a full queue decides on the next request.
  bool paced() const {
    return rated() || watched() || flushes() || queues_otherwise() || think != Nanoseconds{0} ||
           target.latency != Nanoseconds{0} || steady || weight != 0;
  }
};

}  // namespace ftlab
