// How much of a run is done: what its jobs still have to do, of time or of requests. For a progress line, so an estimate:
// sizes that vary count as their mean, and job groups, which run one after the other, count alike.
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
  explicit RunProgress(std::uint64_t requests);  // of a trace

  // 0 to 1, `requests` after the start of the run; to be asked in order of time. Nothing: a job has no end that is known.
  std::optional<double> done(Nanoseconds now, std::uint64_t requests);

 private:
  // Jobs that run at the same time. They end at the time or with the requests, which comes first.
  struct Group {
    std::optional<Nanoseconds> time;        // nothing: no job ends so, also in the next
    std::optional<std::uint64_t> requests;  // of all jobs
    bool counts = true;                     // requests
    bool known = true;                      // when each of its jobs ends
    void add(const Job& job);
  };
  static double done_of(const Group& group, Nanoseconds time, std::uint64_t requests);

  std::vector<Group> groups_;
  std::size_t group_ = 0;              // that runs now
  Nanoseconds began_{0};               // it, as far as was seen
  std::uint64_t requests_before_ = 0;  // it
};

}  // namespace ftlab
