// Estimates the progress of a run from its time and requests. Varying sizes count as their mean, and consecutive job groups
// have equal weight.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/types.h"
#include "sim/workload/files/job_file.h"

namespace ftlab {

class RunProgress {
 public:
  explicit RunProgress(const JobFile& jobs);
  explicit RunProgress(std::uint64_t requests);  // total requests of a trace

  // Returns 0 to 1, for `requests` since the start. Empty if some job's end is unknown. REQUIRES: `now` never decreases.
  std::optional<double> done(Nanoseconds now, std::uint64_t requests);

 private:
  // Jobs that run at the same time. The group ends by time or by requests, whichever is first.
  struct Group {
    std::optional<Nanoseconds> time;        // absent if no job has a runtime
    std::optional<std::uint64_t> requests;  // sum over all jobs; absent if not usable
    bool counts = true;                     // `requests` is usable
    bool known = true;                      // the end of each job is known
    void add(const Job& job);
  };
  static double done_of(const Group& group, Nanoseconds time, std::uint64_t requests);

  std::vector<Group> groups_;
  std::size_t group_ = 0;              // index of the current group
  Nanoseconds began_{0};               // its start, as far as observed
  std::uint64_t requests_before_ = 0;  // requests before it
};

}  // namespace ftlab
