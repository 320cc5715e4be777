// Demands of jobs on a device, computed before any request is issued: for the permit, for memory, and for the report to the
// user.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/workload/jobs/job.h"
#include "validation/measure/target/guard.h"

namespace ftlab {

struct IoFootprint {
  std::size_t depth = 1;            // maximum requests in flight, over all jobs that may run at once
  std::size_t submit_batch = 1;     // requests passed to the kernel at once at most (fio's iodepth_batch)
  std::size_t reap_batch = 1;       // requests taken back at once at most (iodepth_batch_complete_max)
  std::uint64_t largest_bytes = 0;  // largest read or write
  std::uint64_t unit_bytes = 0;     // every offset and length is a multiple of it; 0: no requests
  bool takes = false;               // data in, by reads or for verification
  bool writes = false;
  bool trims = false;
  bool verifies = false;
  std::uint64_t read_bytes = 0, write_bytes = 0, trim_bytes = 0;  // only of jobs that end by their amount
  std::vector<ByteRange> reads;   // as the jobs see the device; without ranges fully written before
  std::vector<ByteRange> filled;  // fully written, and not trimmed since
  bool endless_writes = false;    // a job writes until its time is over: write_bytes covers only a part
  Nanoseconds time{0};            // sum of successive job groups, as far as their runtimes are known

  // Adds another run, which follows this one.
  void then(const IoFootprint& other);
};

IoFootprint footprint_of(const std::vector<Job>& jobs);

// Adds a range unless it lies in one of `ranges` or `known`.
inline void add_outside(std::vector<ByteRange>& ranges, const ByteRange& range, const std::vector<ByteRange>& known) {
  const auto holds = [&range](const ByteRange& each) { return each.first <= range.first && range.end <= each.end; };
  if (std::none_of(known.begin(), known.end(), holds) && std::none_of(ranges.begin(), ranges.end(), holds))
    ranges.push_back(range);
}

inline void IoFootprint::then(const IoFootprint& other) {
  depth = std::max(depth, other.depth);
  submit_batch = std::max(submit_batch, other.submit_batch);
  reap_batch = std::max(reap_batch, other.reap_batch);
  largest_bytes = std::max(largest_bytes, other.largest_bytes);
  unit_bytes = std::gcd(unit_bytes, other.unit_bytes);
  takes = takes || other.takes;
  writes = writes || other.writes;
  trims = trims || other.trims;
  verifies = verifies || other.verifies;
  read_bytes += other.read_bytes;
  write_bytes += other.write_bytes;
  trim_bytes += other.trim_bytes;
  endless_writes = endless_writes || other.endless_writes;
  time += other.time;
  for (const ByteRange& range : other.reads) add_outside(reads, range, filled);
  if (other.trims) return filled.clear();
  for (const ByteRange& range : other.filled) add_outside(filled, range, {});
}

}  // namespace ftlab
