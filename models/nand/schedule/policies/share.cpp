// GC gets at most a share of each die's time: its credit grows with time at that share, up to a burst, and it may begin an
// operation while the credit is not negative. Otherwise as fifo. A die on which only GC waits, without credit, stays idle
// until there is some.
#include "models/nand/timing/policy.h"
#include "sim/core/check.h"

namespace ftlab {
namespace {

class Share final : public SchedulingPolicy {
 public:
  Share(std::uint64_t permille, std::uint64_t burst_ns, std::uint32_t dies)
      : permille_(permille), burst_(burst_ns * 1000), state_(2 * std::size_t{dies}) {
    for (std::uint32_t die = 0; die < dies; ++die) credit(die) = burst_ + kZero;
  }

  Choice choose(const DieQueues& die) override {
    grow(die);
    const bool may_collect = credit(die.die) >= kZero;
    const std::uint32_t next = oldest_class(die, [&](std::uint32_t c) { return may_collect || !die.is_internal(c); });
    if (next != Choice::kNothing) return {next};
    return {Choice::kNothing, die.now + Nanoseconds{(kZero - credit(die.die) + permille_ - 1) / permille_}};
  }
  void begins(const DieQueues& die, std::uint32_t flash_class, Nanoseconds length) override {
    if (die.is_internal(flash_class)) credit(die.die) -= length.count() * 1000;
  }
  std::vector<std::uint64_t> state() const override { return state_; }
  void set_state(const std::vector<std::uint64_t>& state) override {
    FTLAB_CHECK(state.size() == state_.size(), "the credits of other dies");
    state_ = state;
  }

 private:
  // Credits are in thousandths of a nanosecond of die time, with this offset so that they stay positive.
  static constexpr std::uint64_t kZero = std::uint64_t{1} << 62;

  std::uint64_t& credit(std::uint32_t die) { return state_[2 * std::size_t{die}]; }
  void grow(const DieQueues& die) {
    std::uint64_t& since = state_[2 * std::size_t{die.die} + 1];
    const std::uint64_t passed = die.now.count() - since, most = burst_ + kZero;
    since = die.now.count();
    const std::uint64_t missing = most - credit(die.die);
    credit(die.die) = passed > missing / permille_ ? most : credit(die.die) + passed * permille_;
  }

  std::uint64_t permille_, burst_;
  std::vector<std::uint64_t> state_;  // by die: credit, and time of its last update
};

}  // namespace

SchedulingPolicyKind scheduling_share() {
  return {"share",
          {{"scheduling_share_permille", 1, 1000}, {"scheduling_burst_ns", 1, 10'000'000'000}},
          [](const auto& values, std::uint32_t dies) { return std::make_unique<Share>(values[0], values[1], dies); }};
}

}  // namespace ftlab
