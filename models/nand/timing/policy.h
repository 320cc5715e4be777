// Which of a die's waiting operations is next: the seam of scheduling. The engine knows what each class has ready and since
// when; a policy says which begins. One file a policy in policies/: it defines `SchedulingPolicyKind scheduling_NAME()`, and
// the build collects them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/types.h"

namespace ftlab {

// Operations of a die by class, the oldest of each first. Programs of frontier f are class kPrograms + f: the one in the
// frontier's register.
enum FlashClass : std::uint32_t { kHostReads = 0, kInternalReads = 1, kErases = 2, kPrograms = 3 };

// What a policy sees of a die that could begin something.
struct DieQueues {
  std::uint32_t die;
  std::uint32_t classes;
  Nanoseconds now;
  const Nanoseconds* ready;  // by class: since when its first operation could begin; later than now, or kNever: it cannot
  std::uint32_t oldest;      // of the classes the one that is ready since longest; of equal ones the lower. It is ready
  std::uint64_t relocated;   // a bit for each frontier whose program in the register carries nothing of the host

  // Reads of relocation and of the map, erases, and programs without data of the host.
  bool is_internal(std::uint32_t c) const {
    return c == kInternalReads || c == kErases || (c >= kPrograms && (relocated >> (c - kPrograms) & 1) != 0);
  }
};

struct Choice {
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
  std::uint32_t flash_class = kNothing;
  Nanoseconds until = kNever;  // nothing begins before, unless something else becomes ready
};

class SchedulingPolicy {
 public:
  virtual ~SchedulingPolicy() = default;
  // Whether it always chooses the oldest: then it is not asked, nor told what begins.
  virtual bool first_come() const { return false; }
  // Whether it always chooses a read of the host that is ready, and otherwise the oldest: it is not asked either.
  virtual bool host_reads_first() const { return false; }
  // Asked whenever the die could begin something that is ready. REQUIRES of the answer: ready by now.
  virtual Choice choose(const DieQueues& die) = 0;
  // The operation begins, and takes the array for so long.
  virtual void begins(const DieQueues& die, std::uint32_t flash_class, Nanoseconds length) {
    (void)die, (void)flash_class, (void)length;
  }
  // Whether a host read that becomes ready may stop a program or an erase, where the flash can.
  virtual bool suspends() const { return false; }
  // Its state, if it has any, as numbers that are saved with the drive, and back. REQUIRES: as many as it has.
  virtual std::vector<std::uint64_t> state() const { return {}; }
  virtual void set_state(const std::vector<std::uint64_t>& state) { (void)state; }
};

// Of the classes that are ready and wanted the one that became ready first; of equal ones the lower class.
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

// A number that a policy has in the drive file, beside nand.scheduling.
struct SchedulingParameter {
  const char* key;
  std::uint64_t low, high;
};

struct SchedulingPolicyKind {
  std::string name;
  std::vector<SchedulingParameter> parameters;
  // By the values of the parameters, in order, for so many dies.
  std::function<std::unique_ptr<SchedulingPolicy>(const std::vector<std::uint64_t>& values, std::uint32_t dies)> make;
};

// All of them, fifo first.
const std::vector<SchedulingPolicyKind>& scheduling_policy_kinds();
// Index of the policy of that name. REQUIRES: there is one.
std::size_t scheduling_policy_index(const std::string& name);

// What a drive file says.
struct SchedulingConfig {
  std::size_t policy = 0;
  std::vector<std::uint64_t> values;

  std::unique_ptr<SchedulingPolicy> make(std::uint32_t dies) const {
    return scheduling_policy_kinds()[policy].make(values, dies);
  }
};

}  // namespace ftlab
