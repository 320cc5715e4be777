#include "models/nand/timing/policy.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {

std::vector<SchedulingPolicyKind> collected_scheduling_policies();  // made by the build from policies/

const std::vector<SchedulingPolicyKind>& scheduling_policy_kinds() {
  static const std::vector<SchedulingPolicyKind> kinds = [] {
    std::vector<SchedulingPolicyKind> all = collected_scheduling_policies();
    const auto rank = [](const SchedulingPolicyKind& kind) { return kind.name == "fifo" ? std::string() : kind.name; };
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return all;
  }();
  return kinds;
}

std::size_t scheduling_policy_index(const std::string& name) {
  const auto& kinds = scheduling_policy_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.name == name; });
  FTLAB_CHECK(found != kinds.end(), "no scheduling policy is called " + name);
  return static_cast<std::size_t>(found - kinds.begin());
}

}  // namespace ftlab
