// The content of each write of a job, as far as compression and deduplication can see it: fio's buffer
// options as numbers, without any bytes. The same job and seed give the same contents.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/random.h"
#include "sim/request.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

class ContentSource {
 public:
  ContentSource() = default;
  // `amount_bytes` is what the job writes, `block_bytes` the size of a write: the working set of dedupe is a
  // part of it. `run_seed` is the same for all jobs of a run.
  ContentSource(const ContentRules& rules, std::uint64_t job_seed, std::uint64_t run_seed, std::uint64_t amount_bytes,
                std::uint64_t block_bytes);

  // Blocks of the working set of a job that writes so much.
  static std::uint64_t working_set(const ContentRules& rules, std::uint64_t amount_bytes, std::uint64_t block_bytes);

  // Of the next write. 5 ns.
  Content next();

 private:
  std::uint64_t fresh();
  std::uint64_t repeated();

  ContentRules rules_;
  RandomStream random_{0, "content"};
  std::uint64_t origin_ = 0;      // numbers of this job begin here, so that jobs do not share contents by accident
  std::uint64_t pattern_ = 0;     // the content of every write, when there is a pattern; else 0
  std::uint64_t count_ = 0;       // of contents so far
  std::uint64_t set_origin_ = 0;  // numbers of the working set begin here
  std::uint64_t working_set_ = 1;
  std::uint16_t stored_ = 1000;
};

}  // namespace ftlab
