// Greedy with an eye on wear: of the superblocks that hold nearly as few current pages as the emptiest one, the least worn.
// An example of a collection policy in a file of its own; see docs/policies.md.
#include <algorithm>

#include "ftl/policies/gc_policy.h"

namespace ftlab {
namespace {

// How much more than the emptiest a superblock may hold, as a share of its pages. A looser choice levels more and costs more
// write amplification.
constexpr std::uint32_t kSlackDivisor = 32;

class GreedyLeastWorn final : public GcPolicy {
 public:
  SuperblockId choose(const GcView& view, RandomStream& random) override {
    const Blocks& blocks = view.blocks;
    const SuperblockId emptiest = blocks.closed().bins(view.pool).fewest(random);
    if (emptiest == kNoBlock) return kNoBlock;
    const std::uint32_t pages = blocks.layout().data_pages();
    // Not a full one while another is not: that would gain nothing.
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
