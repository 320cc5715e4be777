// Interface of scheduling policies: which of a die's waiting operations is next. The engine knows what each class has ready
// and since when; the policy chooses. One file per policy in policies/, which defines `SchedulingPolicyKind
// scheduling_NAME()`; the build collects them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/types.h"

namespace ftlab {

// Classes of a die's operations; the oldest of a class is its next. Class kPrograms + f is the program in the register of
// frontier f.
enum FlashClass : std::uint32_t { kHostReads = 0, kInternalReads = 1, kErases = 2, kPrograms = 3 };

// A die that could begin an operation, as seen by a policy.
struct DieQueues {
  std::uint32_t die;
  std::uint32_t classes;
  Nanoseconds now;
  const Nanoseconds* ready;  // by class: since when its first operation is ready; after `now`, or kNever: not ready
  std::uint32_t oldest;      // class that has been ready longest, the lower one of equals; it is ready
  std::uint64_t relocated;   // bit mask of the frontiers whose loaded program carries no host data

  // True for relocation and map reads, erases, and programs without host data.
  bool is_internal(std::uint32_t c) const {
    return c == kInternalReads || c == kErases || (c >= kPrograms && (relocated >> (c - kPrograms) & 1) != 0);
  }
};

struct Choice {
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
  std::uint32_t flash_class = kNothing;
  Nanoseconds until = kNever;  // begins nothing before this time, unless something else becomes ready
};

class SchedulingPolicy {
 public:
  virtual ~SchedulingPolicy() = default;
  // True if it always chooses the oldest: then neither choose() nor begins() is called.
  virtual bool first_come() const { return false; }
  // True if it always chooses a ready host read, else the oldest: then choose() is not called.
  virtual bool host_reads_first() const { return false; }
  // Called whenever the die could begin a ready operation. REQUIRES of the result: ready by now.
  virtual Choice choose(const DieQueues& die) = 0;
  // An operation of the class begins and occupies the array for `length`.
  virtual void begins(const DieQueues& die, std::uint32_t flash_class, Nanoseconds length) {
    (void)die, (void)flash_class, (void)length;
  }
  // True if a host read that becomes ready may suspend a program or an erase, if the flash can.
  virtual bool suspends() const { return false; }
  // State as numbers, if there is any, saved with the drive. REQUIRES of set_state(): as many as state() returns.
  virtual std::vector<std::uint64_t> state() const { return {}; }
  virtual void set_state(const std::vector<std::uint64_t>& state) { (void)state; }
};

// The class that became ready first among the ready and wanted ones, the lower one of equals; kNothing if none is.
template <class Wanted>
std::uint32_t oldest_class(const DieQueues& die, Wanted&& wanted) {
  std::uint32_t best = Choice::kNothing;
  Nanoseconds first = die.now;
  for (std::uint32_t c = 0; c < die.classes; ++c) {
    const bool earlier = best == Choice::kNothing ? die.ready[c] <= first : die.ready[c] < first;
    if (!earlier || !wanted(c)) continue;
    best = c;
    first = die.ready[c];
  }
  return best;
}

// A parameter of a policy in the drive file, next to nand.scheduling.
struct SchedulingParameter {
  const char* key;
  std::uint64_t low, high;
};

struct SchedulingPolicyKind {
  std::string name;
  std::vector<SchedulingParameter> parameters;
  // Creates the policy for `dies` dies from the values of its parameters, in order.
  std::function<std::unique_ptr<SchedulingPolicy>(const std::vector<std::uint64_t>& values, std::uint32_t dies)> make;
};

// All policies, fifo first.
const std::vector<SchedulingPolicyKind>& scheduling_policy_kinds();
// Index of the policy with that name. REQUIRES: it exists.
std::size_t scheduling_policy_index(const std::string& name);

// The policy chosen by a drive file.
struct SchedulingConfig {
  std::size_t policy = 0;
  std::vector<std::uint64_t> values;

  std::unique_ptr<SchedulingPolicy> make(std::uint32_t dies) const {
    return scheduling_policy_kinds()[policy].make(values, dies);
  }
};

}  // namespace ftlab
