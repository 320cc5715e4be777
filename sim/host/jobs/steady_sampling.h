// fio's steadystate for the jobs that share a report: they are sampled together and end together.
#pragma once

#include <map>
#include <vector>

#include "sim/host/jobs/rate_controlled_job.h"
#include "sim/stats/steady_state.h"

namespace ftlab {

class SteadySampling {
 public:
  struct Member {
    std::size_t job;
    const RateControlledJob* run;
  };

  // Adds a starting job that has a criterion. Returns true if it is the first of its report, so that sampling begins.
  bool join(const Job& job, std::size_t number, const RateControlledJob& run) {
    const auto [group, is_first] = groups_.try_emplace(job.report_group, Group{SteadyState(*job.flow.steady), {}});
    group->second.members.push_back({number, &run});
    return is_first;
  }

  // Ends an interval of a report. Returns true if the steady state has been attained.
  bool sample(std::size_t report_group) {
    Group& group = groups_.at(report_group);
    RateControlledJob::Totals sum;
    for (const Member& member : group.members) {
      const RateControlledJob::Totals& totals = member.run->totals();
      sum.bytes += totals.bytes;
      sum.requests += totals.requests;
      sum.latency_ns_sum += totals.latency_ns_sum;
    }
    return group.state.sample(sum.bytes, sum.requests, sum.latency_ns_sum);
  }

  const std::vector<Member>& members(std::size_t report_group) const { return groups_.at(report_group).members; }
  // Null for a report without a criterion.
  const SteadyResult* result(std::size_t report_group) const {
    const auto found = groups_.find(report_group);
    return found == groups_.end() ? nullptr : &found->second.state.result();
  }

 private:
  struct Group {
    SteadyState state;
    std::vector<Member> members;
  };

  std::map<std::size_t, Group> groups_;  // by report
};

}  // namespace ftlab
