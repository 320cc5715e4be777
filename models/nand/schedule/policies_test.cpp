// Choices of each scheduling policy for a die with hand-made queues.
#include <array>
#include <memory>
#include <vector>

#include "models/nand/timing/policy.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Two frontiers: host and relocation.
constexpr std::uint32_t kHostProgram = kPrograms, kRelocated = kPrograms + 1, kClasses = kPrograms + 2;
constexpr std::uint64_t kNone = ~std::uint64_t{0};

struct Die {
  // Time of becoming ready, by class: host read, internal read, erase, host program, relocated program.
  std::array<std::uint64_t, kClasses> since;
  std::uint64_t now;
};

class Asked {
 public:
  Asked(const char* name, std::vector<std::uint64_t> values)
      : policy_(scheduling_policy_kinds()[scheduling_policy_index(name)].make(values, 2)) {}

  Choice choose(const Die& die) {
    const DieQueues queues = see(die);
    return policy_->choose(queues);
  }
  std::uint32_t next(const Die& die) { return choose(die).flash_class; }
  void begins(const Die& die, std::uint32_t flash_class, std::uint64_t length) {
    policy_->begins(see(die), flash_class, Nanoseconds{length});
  }
  const SchedulingPolicy& policy() const { return *policy_; }

 private:
  DieQueues see(const Die& die) {
    DieQueues queues{};
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      ready_[c] = Nanoseconds{die.since[c]};
      if (ready_[c] < ready_[queues.oldest]) queues.oldest = c;
    }
    queues.die = 1;
    queues.now = Nanoseconds{die.now};
    queues.ready = ready_.data();
    queues.classes = kClasses;
    queues.relocated = 2;
    return queues;
  }

  std::unique_ptr<SchedulingPolicy> policy_;
  std::array<Nanoseconds, kClasses> ready_;
};

}  // namespace

TEST_CASE("fifo chooses the operation that has been ready longest") {
  Asked fifo("fifo", {});
  CHECK(fifo.next({{90, 80, 70, 60, 50}, 100}) == kRelocated);
  CHECK(fifo.next({{40, 80, 70, 60, 50}, 100}) == kHostReads);
  CHECK(fifo.next({{50, 50, 50, 50, 50}, 100}) == kHostReads);  // equal times: the lower class
  CHECK_FALSE(fifo.policy().suspends());
}

TEST_CASE("read-first chooses a host read as soon as it is ready") {
  Asked policy("read-first", {});
  CHECK(policy.next({{100, 10, 20, 30, 40}, 100}) == kHostReads);
  CHECK(policy.next({{101, 10, 20, 30, 40}, 100}) == kInternalReads);
  CHECK(policy.policy().suspends());
}

TEST_CASE("yield lets the host overtake GC until GC has waited for the limit") {
  Asked policy("yield", {1'000});
  CHECK(policy.next({{kNone, 0, kNone, 500, kNone}, 999}) == kHostProgram);
  CHECK(policy.next({{kNone, 0, kNone, 500, kNone}, 1'000}) == kInternalReads);
  CHECK(policy.next({{900, kNone, kNone, 500, 0}, 999}) == kHostProgram);  // host operations in order
  CHECK(policy.next({{900, kNone, kNone, 500, 0}, 1'000}) == kRelocated);
  CHECK(policy.next({{kNone, kNone, 300, kNone, 400}, 500}) == kErases);  // no host operation waits
}

TEST_CASE("share lets GC begin while it has credit, which grows with time") {
  Asked policy("share", {250, 100});  // a quarter of the time, bursts of 100 ns
  const Die both{{kNone, 0, kNone, 5, kNone}, 10};
  CHECK(policy.next(both) == kInternalReads);
  policy.begins(both, kInternalReads, 180);  // 80 ns more than the credit, which grow back in 320 ns
  CHECK(policy.next({{kNone, 0, kNone, 5, kNone}, 10}) == kHostProgram);
  const Die alone{{kNone, 0, kNone, kNone, kNone}, 10};
  CHECK(policy.next(alone) == Choice::kNothing);
  CHECK(policy.choose(alone).until == Nanoseconds{330});
  CHECK(policy.next({{kNone, 0, kNone, kNone, kNone}, 329}) == Choice::kNothing);
  CHECK(policy.next({{kNone, 0, kNone, kNone, kNone}, 330}) == kInternalReads);
  // Host operations use no credit.
  policy.begins({{kNone, 0, kNone, 5, kNone}, 330}, kHostProgram, 1'000'000);
  CHECK(policy.next({{kNone, 0, kNone, kNone, kNone}, 331}) == kInternalReads);
}

TEST_CASE("the credit of share never exceeds its burst") {
  Asked policy("share", {1'000, 100});
  const Die later{{kNone, 0, kNone, kNone, kNone}, 1'000'000};
  CHECK(policy.next(later) == kInternalReads);
  policy.begins(later, kInternalReads, 101);
  CHECK(policy.choose(later).until == Nanoseconds{1'000'001});
}
