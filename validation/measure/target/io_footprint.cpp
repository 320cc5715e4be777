#include "validation/measure/target/io_footprint.h"

#include <utility>

#include "sim/traces/iolog.h"

namespace ftlab {
namespace {

bool uses(const Job& job, std::size_t direction) {
  return std::array{job.pattern.reads || job.verify.on, job.pattern.writes, job.pattern.trims}[direction];
}

std::uint64_t unit_of(const Job& job) {
  if (job.any_size) return kSectorBytes;
  const auto skip = static_cast<std::uint64_t>(job.pattern.sequential_skip_bytes < 0 ? -job.pattern.sequential_skip_bytes
                                                                                     : job.pattern.sequential_skip_bytes);
  std::uint64_t unit = std::gcd(job.region_first_bytes, skip);
  for (const FileRegion& file : job.files) unit = std::gcd(unit, file.first_bytes);
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    if (!uses(job, d)) continue;
    const BlockSizes& sizes = job.sizes[d];
    unit = std::gcd(std::gcd(unit, sizes.least), std::gcd(sizes.most, job.alignment_bytes[d]));
    for (const SizeShare& share : sizes.shares) unit = std::gcd(unit, share.bytes);
  }
  return unit;
}

// The contents of a log are known only after reading it.
IoFootprint of_log(const Job& job) {
  IoFootprint all;
  Iolog log(*job.replay);
  Iolog::Entry entry;
  ByteRange reads{~std::uint64_t{0}, 0};
  while (log.next(entry)) {
    all.unit_bytes = std::gcd(all.unit_bytes, std::gcd(entry.offset_bytes, entry.length_bytes));
    if (entry.op == Op::write) all.write_bytes += entry.length_bytes;
    if (entry.op == Op::trim) all.trim_bytes += entry.length_bytes;
    if (entry.op == Op::read) {
      all.read_bytes += entry.length_bytes;
      reads = {std::min(reads.first, entry.offset_bytes), std::max(reads.end, entry.offset_bytes + entry.length_bytes)};
    }
    if (entry.op == Op::read || entry.op == Op::write) all.largest_bytes = std::max(all.largest_bytes, entry.length_bytes);
    all.time = std::max(all.time, entry.at);
  }
  all.takes = all.read_bytes > 0;
  all.writes = all.write_bytes > 0;
  all.trims = all.trim_bytes > 0;
  if (all.read_bytes > 0) all.reads.push_back(reads);
  return all;
}

// True if the job writes every byte of its region before it ends. Random jobs may or may not, so they count as not.
bool fills(const Job& job) {
  const Pattern& pattern = job.pattern;
  const bool only_writes = pattern.writes && !pattern.reads && !pattern.trims && !job.verify.only;
  const bool in_order = !pattern.random && pattern.sequential_skip_bytes == 0 && job.files.empty();
  const bool to_the_end = !job.time_based && !job.runtime && !job.request_limit;
  return only_writes && in_order && to_the_end &&
         job.amount_bytes * std::max<std::uint64_t>(job.loops, 1) >= job.region_end_bytes - job.region_first_bytes;
}

void add_amounts(IoFootprint& all, const Job& job) {
  const Pattern& pattern = job.pattern;
  if (job.time_based) {
    all.endless_writes = pattern.writes;
    return;
  }
  const std::uint64_t amount = job.amount_bytes * std::max<std::uint64_t>(job.loops, 1);
  const std::uint64_t reads = pattern.mixed() ? amount / 100 * job.read_percent : pattern.reads ? amount : 0;
  all.read_bytes = reads + (job.verify.on && job.verify.read_back ? amount - reads : 0);
  all.write_bytes = pattern.writes ? amount - reads : 0;
  all.trim_bytes = pattern.trims ? amount : 0;
}

IoFootprint of_generated(const Job& job) {
  IoFootprint all;
  all.unit_bytes = unit_of(job);
  for (std::size_t d = 0; d < 2; ++d)
    if (uses(job, d)) all.largest_bytes = std::max(all.largest_bytes, job.sizes[d].most);
  all.takes = uses(job, 0);
  all.writes = job.pattern.writes;
  all.trims = job.pattern.trims;
  all.verifies = job.verify.on;
  const ByteRange region{job.region_first_bytes, job.region_end_bytes};
  if (job.pattern.reads) all.reads.push_back(region);
  if (fills(job)) all.filled.push_back(region);
  add_amounts(all, job);
  all.time = job.start_delay + job.ramp + job.runtime.value_or(Nanoseconds{0});
  return all;
}

// Adds a job that runs in parallel with the group.
void add_beside(IoFootprint& job_group, const IoFootprint& job) {
  const std::size_t depth = job_group.depth + job.depth;
  const std::size_t submit_batch = job_group.submit_batch + job.submit_batch;
  const std::size_t reap_batch = job_group.reap_batch + job.reap_batch;
  const Nanoseconds time = std::max(job_group.time, job.time);
  const std::vector<ByteRange> filled = std::exchange(job_group.filled, {});  // by parallel jobs, not by earlier ones
  job_group.then(job);
  job_group.filled.insert(job_group.filled.end(), filled.begin(), filled.end());
  job_group.depth = depth;
  job_group.submit_batch = submit_batch;
  job_group.reap_batch = reap_batch;
  job_group.time = time;
}

}  // namespace

IoFootprint footprint_of(const std::vector<Job>& jobs) {
  IoFootprint all;
  for (std::size_t first = 0; first < jobs.size();) {
    IoFootprint job_group;
    job_group.depth = job_group.submit_batch = job_group.reap_batch = 0;
    std::size_t next = first;
    for (; next < jobs.size() && jobs[next].job_group == jobs[first].job_group; ++next) {
      IoFootprint job = jobs[next].replay ? of_log(jobs[next]) : of_generated(jobs[next]);
      job.depth = jobs[next].depth + (jobs[next].flow.flushes() ? 1 : 0);
      job.submit_batch = std::max<std::uint64_t>(jobs[next].flow.submit_batch, 1);
      job.reap_batch = std::max<std::uint64_t>(jobs[next].flow.reap_most, 1);
      add_beside(job_group, job);
    }
    all.then(job_group);
    first = next;
  }
  return all;
}

}  // namespace ftlab
