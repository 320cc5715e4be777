// When a job issues its requests and when it ends: fio's rates, pauses, flushes and targets. The defaults describe a job
// that keeps its queue full until its amount is done; such a job is not "paced", and these features cost it nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/direction.h"

namespace ftlab {

// fio's latency_target: the largest depth at which `percentile` of the requests of a window stay below `latency`.
struct LatencyTarget {
  Nanoseconds latency{0};  // 0: no target
  Nanoseconds window{0};
  double percentile = 100;
  bool keeps_running = false;  // latency_run: keeps searching until the job's own end
};

// fio's steadystate: the job ends when samples of one interval each have met the criterion over `duration`.
struct SteadyCriterion {
  // Requests per second, bytes per second, or mean completion latency in nanoseconds.
  enum class Figure : std::uint8_t { iops, bandwidth, latency } figure = Figure::iops;
  bool slope = false;  // limits the slope of a line fitted to the samples; false: the largest distance from their mean
  double limit = 0;
  bool percent = false;  // the limit is in percent of the mean
  Nanoseconds duration{0};
  Nanoseconds ramp{0};  // after the job's own ramp, before the first sample
  Nanoseconds interval{1'000'000'000};
};

// The drive treats all flushes alike; the report distinguishes them as fio does.
enum class FlushKind : std::uint8_t { none, full, data, unreported };

// Which other jobs end with a job (exitall).
enum class ExitScope : std::uint8_t { group, running, all };

struct Flow {
  PerDirection<std::uint64_t> rate_bytes_per_s{};  // 0: unlimited
  PerDirection<std::uint64_t> rate_iops{};
  PerDirection<std::uint64_t> least_bytes_per_s{};  // rate_min: the job fails below it
  PerDirection<std::uint64_t> least_iops{};
  Nanoseconds rate_cycle{1'000'000'000};  // period over which the minimum rates are checked
  bool poisson = false;                   // exponentially distributed gaps
  bool rate_ignores_thinking = false;

  Nanoseconds think{0};
  Nanoseconds spin{0};                        // a pause lasts at least this long; the host's CPU is not modelled
  std::optional<Nanoseconds> think_every;     // thinktime_iotime
  std::optional<std::uint64_t> think_blocks;  // requests between two pauses; 1 if neither is given
  bool think_counts_issued = false;           // counts issued instead of completed requests

  std::uint64_t flush_every = 0;       // fsync: a flush after every this many writes
  std::uint64_t data_flush_every = 0;  // fdatasync: the same for the drive, counted separately as in fio
  std::uint64_t barrier_every = 0;     // write_barrier: a flush, then a write that is forced to the flash
  bool forced_writes = false;          // sync=1, dsync: every write is forced to the flash
  bool flush_at_end = false;           // end_fsync, fsync_on_close: one flush, as in fio
  bool flush_keeps_queue = false;      // io_uring: other requests are issued during a flush; else it is awaited

  std::uint64_t low_depth = 0;  // iodepth_low; 0: the queue depth
  std::uint64_t submit_batch = 1;
  std::uint64_t reap_least = 1;  // iodepth_batch_complete_min
  std::uint64_t reap_most = 1;
  bool offload = false;  // io_submit_mode: waiting for a rate does not drain the queue
  bool serialize_overlap = false;

  LatencyTarget target;
  PerDirection<Nanoseconds> longest{};  // max_latency: the job fails above it; 0: no limit
  std::optional<SteadyCriterion> steady;

  Nanoseconds start_delay_most{0};  // upper end of startdelay=5-10, drawn for each job; 0: no range
  std::string waits_for;            // name of the jobs that must end first
  bool exit_all = false;            // the end of any job in the file ends others
  bool exit_all_on_error = false;
  ExitScope exit_scope = ExitScope::group;

  std::uint64_t weight = 0;  // flow: share of the requests among the jobs with the same flow_id
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
  bool has_queue_options() const {
    return low_depth != 0 || submit_batch != 1 || reap_least != 1 || reap_most != 1 || serialize_overlap;
  }
  // True if anything but a full queue decides when the next request is issued.
  bool paced() const {
    return rated() || watched() || flushes() || has_queue_options() || think != Nanoseconds{0} ||
           target.latency != Nanoseconds{0} || steady || weight != 0;
  }
};

}  // namespace ftlab
