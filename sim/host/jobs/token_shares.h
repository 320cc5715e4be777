// fio's flow: jobs with the same flow_id take turns, so that each issues its weight's share of their requests.
#pragma once

#include <map>

#include "sim/workload/jobs/flow.h"

namespace ftlab {

class TokenShares {
 public:
  // A job without a weight does not take part, and is never ahead.
  void join(const Flow& job) {
    if (job.weight != 0) shares_[job.flow_id].weight += job.weight;
  }
  void leave(const Flow& job, std::uint64_t taken) {
    if (job.weight == 0) return;
    Share& share = shares_[job.flow_id];
    share.weight -= job.weight;
    share.taken -= taken;
  }
  void take(const Flow& job) {
    if (job.weight != 0) ++shares_[job.flow_id].taken;
  }

  // True if a job that has taken this many tokens is ahead of its share. REQUIRES: it has joined.
  bool ahead(const Flow& job, std::uint64_t taken) const {
    if (job.weight == 0) return false;
    const Share& share = shares_.at(job.flow_id);
    return taken * share.weight > job.weight * share.taken;
  }

 private:
  struct Share {
    std::uint64_t weight = 0;
    std::uint64_t taken = 1;  // as in fio, so that the first job may begin
  };
  std::map<std::uint64_t, Share> shares_;
};

}  // namespace ftlab
