// Host reads first, the rest as fifo. With `nand.suspend` they also stop programs and erases, after Wu and He, "Reducing SSD
// Read Latency via NAND Flash Program and Erase Suspension", FAST 2012.
#include "models/nand/timing/policy.h"

namespace ftlab {
namespace {

class ReadFirst final : public SchedulingPolicy {
 public:
  Choice choose(const DieQueues& die) override {
    if (die.ready[kHostReads] <= die.now) return {kHostReads};
    return {die.oldest};
  }
  bool suspends() const override { return true; }
  bool host_reads_first() const override { return true; }
};

}  // namespace

SchedulingPolicyKind scheduling_read_first() {
  return {"read-first", {}, [](const auto&, std::uint32_t) { return std::make_unique<ReadFirst>(); }};
}

}  // namespace ftlab
