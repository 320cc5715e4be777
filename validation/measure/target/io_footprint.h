// What the requests of jobs ask of a device, worked out before any of them is issued: for the permit, for memory, and for
// what the user is told beforehand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/workload/jobs/job.h"
#include "validation/measure/target/guard.h"

namespace ftlab {

struct IoFootprint {
  std::size_t depth = 1;            // requests in flight at most, of all jobs that may run at once
  std::size_t submit_batch = 1;     // of these, how many the kernel gets and gives back at a time at most, as fio's
  std::size_t reap_batch = 1;       // iodepth_batch and iodepth_batch_complete_max say
  std::uint64_t largest_bytes = 0;  // of one read or write
  std::uint64_t unit_bytes = 0;     // every offset and length is a multiple of it; 0: there is no request
  bool takes = false;               // data in, by reads or to verify
  bool writes = false;
  bool trims = false;
  bool verifies = false;
  std::uint64_t read_bytes = 0, write_bytes = 0, trim_bytes = 0;  // of the jobs that end by their amount
  std::vector<ByteRange> reads;   // as the jobs see the device; without what was written from end to end before
  std::vector<ByteRange> filled;  // written from end to end, and not trimmed since
  bool endless_writes = false;    // some job writes until its time is over: write_bytes is then only a part
  Nanoseconds time{0};            // of the waves, one after the other, as far as their runtimes say

  // Of another run, which follows.
  void then(const IoFootprint& other);
};

IoFootprint footprint_of(const std::vector<Job>& jobs);

// Each range once, and none that lies in one of `known`.
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
