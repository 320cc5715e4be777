#include "ftl/gc_policy.h"

namespace ftlab {
namespace {

// The superblock with the fewest current pages: optimal under uniform writes (Yang, Misra, Rubenstein, "On the
// optimality of greedy garbage collection for SSDs", 2015).
class Greedy final : public GcPolicy {
 public:
  BlockId choose(const Blocks& blocks) override { return blocks.fewest_valid(); }
};

}  // namespace

const std::vector<GcPolicyKind>& gc_policy_kinds() {
  static const std::vector<GcPolicyKind> kinds = {
      {"greedy", []() -> std::unique_ptr<GcPolicy> { return std::make_unique<Greedy>(); }},
  };
  return kinds;
}

}  // namespace ftlab
