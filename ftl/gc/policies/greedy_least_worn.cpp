// Wear-aware greedy: the least worn of the superblocks that hold nearly as few valid pages as the emptiest one. An example
// of a GC policy in its own file; see docs/policies.md.
#include <algorithm>

#include "ftl/policies/gc_policy.h"

namespace ftlab {
namespace {

// A victim may hold 1/32 of its pages more than the emptiest superblock. A higher share levels wear better and costs more
// write amplification.
constexpr std::uint32_t kSlackDivisor = 32;

class GreedyLeastWorn final : public GcPolicy {
 public:
  SuperblockId choose(const GcView& view, RandomStream& random) override {
    const Blocks& blocks = view.blocks;
    const SuperblockId emptiest = blocks.closed().bins(view.pool).fewest(random);
    if (emptiest == kNoBlock) return kNoBlock;
    const std::uint32_t pages = blocks.layout().data_pages();
    // Never a full superblock while one with stale pages exists: that would gain nothing.
    const std::uint32_t most = std::min(blocks.valid(emptiest) + pages / kSlackDivisor, pages - 1);
    SuperblockId chosen = emptiest;
    for (SuperblockId block = blocks.closed().oldest(view.pool); block != kNoBlock;
         block = blocks.closed().next_younger(block)) {
      if (blocks.valid(block) <= most && view.erases[number(block)] < view.erases[number(chosen)]) chosen = block;
    }
    return chosen;
  }
};

}  // namespace

GcPolicyKind policy_greedy_least_worn() {
  return {.name = "greedy-least-worn", .needs = GcNeeds::fewest, .make = [](const auto&) {
            return std::make_unique<GreedyLeastWorn>();
          }};
}

}  // namespace ftlab
