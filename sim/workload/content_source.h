// The content of each write of a job, as far as compression and deduplication can see it: fio's buffer options as numbers,
// without actual bytes. The same job and seed give the same contents.
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
  // `amount_bytes` is the total that the job writes, `block_bytes` the size of one write; the dedupe working set is a share
  // of these blocks. `run_seed` is the same for all jobs of a run.
  ContentSource(const ContentRules& rules, std::uint64_t job_seed, std::uint64_t run_seed, std::uint64_t amount_bytes,
                std::uint64_t block_bytes);

  // Number of blocks in the working set of a job that writes `amount_bytes`.
  static std::uint64_t working_set(const ContentRules& rules, std::uint64_t amount_bytes, std::uint64_t block_bytes);

  // Content of the next write. Takes 5 ns.
  Content next();

 private:
  std::uint64_t fresh();
  std::uint64_t repeated();

  ContentRules rules_;
  RandomStream random_{0, "content"};
  std::uint64_t origin_ = 0;      // first content number of this job, so that jobs do not share contents by accident
  std::uint64_t pattern_ = 0;     // content of every write if there is a pattern, else 0
  std::uint64_t count_ = 0;       // fresh contents so far
  std::uint64_t set_origin_ = 0;  // first content number of the working set
  std::uint64_t working_set_ = 1;
  std::uint16_t stored_ = 1000;
};

}  // namespace ftlab
