// GC yields: host reads and programs go before relocation reads, erases and relocated programs, each group as fifo. GC
// operations that have waited for `scheduling_most_wait_ns` go first, so GC never starves.
#include "models/nand/timing/policy.h"

namespace ftlab {
namespace {

class Yield final : public SchedulingPolicy {
 public:
  explicit Yield(Nanoseconds most_wait) : most_wait_(most_wait) {}

  Choice choose(const DieQueues& die) override {
    const std::uint32_t internal = oldest_class(die, [&](std::uint32_t c) { return die.is_internal(c); });
    const bool waited = internal != Choice::kNothing && die.now - die.ready[internal] >= most_wait_;
    if (waited) return {internal};
    const std::uint32_t host = oldest_class(die, [&](std::uint32_t c) { return !die.is_internal(c); });
    return {host != Choice::kNothing ? host : internal};
  }

 private:
  Nanoseconds most_wait_;
};

}  // namespace

SchedulingPolicyKind scheduling_yield() {
  return {"yield", {{"scheduling_most_wait_ns", 1, 10'000'000'000}}, [](const auto& values, std::uint32_t) {
            return std::make_unique<Yield>(Nanoseconds{values[0]});
          }};
}

}  // namespace ftlab
