// What the requests of jobs ask of a device, worked out before any of them is issued: for the permit, for memory, and for
// what the user is told beforehand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/workload/job.h"

namespace ftlab {

struct Demands {
  std::size_t depth = 1;            // requests in flight at most, of all jobs that may run at once
  std::uint64_t largest_bytes = 0;  // of one read or write
  std::uint64_t unit_bytes = 0;     // every offset and length is a multiple of it; 0: there is no request
  bool writes = false;
  bool trims = false;
  bool verifies = false;
  std::uint64_t read_bytes = 0, write_bytes = 0, trim_bytes = 0;  // of the jobs that end by their amount
  bool endless_writes = false;  // some job writes until its time is over: write_bytes is then only a part
  Nanoseconds time{0};          // of the waves, one after the other, as far as their runtimes say

  // Of another run, which follows.
  void then(const Demands& other);
};

Demands demands_of(const std::vector<Job>& jobs);

inline void Demands::then(const Demands& other) {
  depth = std::max(depth, other.depth);
  largest_bytes = std::max(largest_bytes, other.largest_bytes);
  unit_bytes = std::gcd(unit_bytes, other.unit_bytes);
  writes = writes || other.writes;
  trims = trims || other.trims;
  verifies = verifies || other.verifies;
  read_bytes += other.read_bytes;
  write_bytes += other.write_bytes;
  trim_bytes += other.trim_bytes;
  endless_writes = endless_writes || other.endless_writes;
  time += other.time;
}

}  // namespace ftlab
