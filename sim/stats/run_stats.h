// Results of each job, as seen by the host, and of the whole run over time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/counters.h"
#include "sim/request.h"
#include "sim/stats/histogram.h"
#include "sim/stats/parts_by_latency.h"
#include "sim/stats/steady_state.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Linux error numbers, as reported by fio.
inline constexpr int kIoError = 5, kIllegalBytes = 84, kTimedOut = 110;

using BatchLevels = std::array<std::uint64_t, 7>;  // fio's batch sizes: 0, 1-4, 5-8, 9-16, 17-32, 33-64, more

// One row of a fio log.
struct LogRow {
  std::uint64_t time_ms = 0;  // since the job's measured part began
  std::uint64_t value = 0;    // ns, KiB/s or IOPS
  Direction direction = Direction::read;
  std::uint64_t block_bytes = 0;   // 0 in averaged rows
  std::uint64_t offset_bytes = 0;  // 0 in averaged rows
};

// One row of fio's histogram log: completions of one direction in one window, by the bins of Histogram.
struct HistogramRow {
  std::uint64_t time_ms = 0;
  Direction direction = Direction::read;
  std::uint64_t block_bytes = 0;                              // size of the last request
  std::vector<std::pair<std::uint32_t, std::uint64_t>> bins;  // (bin, count), ascending, without empty ones
};

// A request as it was issued, for write_iolog.
struct SentRequest {
  Nanoseconds at{0};
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  Op op = Op::read;
  bool data_only = false;  // flushes only: fdatasync
};

// Flushes, which fio reports as "sync".
struct FlushStats {
  std::uint64_t full = 0;  // by fsync; as in fio, flushes by fdatasync only count in the latency
  Histogram latency;
};

// One direction of one job, without the ramp.
struct DirectionStats {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  Histogram latency;  // from issue to completion; the model has no submission latency of the host
  // Samples for fio's bw_min, bw_mean, iops_stddev and so on: one per full window (bwavgtime, iopsavgtime).
  std::vector<std::uint64_t> bandwidth_samples_kib_s;
  std::vector<std::uint64_t> iops_samples;
};

struct JobStats {
  const Job* job = nullptr;  // REQUIRES: outlives the statistics
  Nanoseconds started{0};    // start of the measured part (after start delay and ramp), in simulated time
  Nanoseconds ended{0};      // the last completion, or the end of the runtime
  PerDirection<DirectionStats> directions;
  PerDirection<std::uint64_t> failed{};  // completions whose status is not ok
  LatencyParts parts{};                  // summed over all requests of the job
  PartsByLatency parts_by_latency;
  std::vector<LogRow> bandwidth_log;
  std::vector<LogRow> iops_log;
  std::vector<LogRow> latency_log;
  std::vector<HistogramRow> histogram_log;
  std::vector<SentRequest> sequence;  // all requests, including the ramp
  FlushStats flushes;
  int error = 0;        // Linux error number: why the job failed although the device served it
  std::string problem;  // `error` in words
  bool ended_early() const { return error != 0 && !(error == kIllegalBytes && !job->verify.fatal); }
  // `problem` after the prefix "ended early: " or "failed: ".
  std::string failure() const { return (ended_early() ? "ended early: " : "failed: ") + problem; }
  // As measured for a paced job; for any other job they follow from its depth.
  std::optional<std::array<std::uint64_t, 7>> by_depth;
  std::optional<BatchLevels> submits, reaps;
  std::optional<std::uint64_t> depth;  // found by the search for a latency target
  std::optional<SteadyResult> steady;
};

// One interval of the whole run, for series.csv.
struct SeriesRow {
  Nanoseconds end{0};
  Nanoseconds length{0};
  PerDirection<std::uint64_t> bytes{};
  PerDirection<std::uint64_t> requests{};
  PerDirection<std::uint64_t> latency_mean_ns{};
  PerDirection<std::uint64_t> latency_p50_ns{};
  PerDirection<std::uint64_t> latency_p99_ns{};
  PerDirection<std::uint64_t> latency_p99_9_ns{};
  PerDirection<std::uint64_t> latency_max_ns{};
  Counters device;  // cumulative at `end`
};

// Jobs [first_job, end_job), between two stonewalls. Phases follow one another without a gap, from 0 to the run's end.
struct RunPhase {
  std::size_t first_job = 0, end_job = 0;
  Nanoseconds from{0}, to{0};
  Counters device;  // cumulative at `to`
};

// Results of verify, over all jobs and ramps.
struct VerifyStats {
  std::uint64_t reads = 0;          // reads compared
  std::uint64_t granules = 0;       // pages, or sectors, that they returned
  std::uint64_t never_written = 0;  // granules expected to be empty: never written, or trimmed
  std::uint64_t first_seen = 0;     // granules from before the run, whose content only the read itself shows
  std::uint64_t mismatches = 0;     // reads
  std::vector<std::string> lines;   // one for each of the first mismatches: job, place, expected and found version
};

struct RunStats {
  std::vector<JobStats> jobs;  // in the order of the job file
  std::vector<SeriesRow> series;
  std::vector<RunPhase> phases;  // one per job group; empty for a replayed trace
  Nanoseconds ended{0};
  Counters device_before;  // when the run began; not zero on a loaded drive
  Counters device_after;
  std::uint64_t requests = 0;         // completed, including ramps
  std::uint64_t signature = 0;        // hash of the completion stream
  bool left_early = false;            // ended by HostOptions::leave
  std::optional<VerifyStats> verify;  // set if a job verifies
};

}  // namespace ftlab
