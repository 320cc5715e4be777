// First come, first served: the operation that became ready first begins first.
#include "models/nand/timing/policy.h"

namespace ftlab {
namespace {

class Fifo final : public SchedulingPolicy {
 public:
  bool first_come() const override { return true; }
  Choice choose(const DieQueues& die) override { return {die.oldest}; }
};

}  // namespace

SchedulingPolicyKind scheduling_fifo() {
  return {"fifo", {}, [](const auto&, std::uint32_t) { return std::make_unique<Fifo>(); }};
}

}  // namespace ftlab
