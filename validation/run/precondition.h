// Preconditions a simulated SSD: `ftlab run --precondition`. A new drive serves reads without flash accesses and has the
// write amplification of an empty drive.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "validation/run/simulated_device.h"
#include "validation/run/state_cache.h"

namespace ftlab {

// sequential: one sequential drive write. random: then two drive writes of random 4 KiB. steady: then random drive writes,
// at least three, until the write amplification of the last two differs by at most 1 %. trace: TraceRun::prefill().
// Random writes are counted (Lifecycle::age_by_counting) where the drive's design allows it, and executed otherwise. Both
// follow the same law: validation/checks/counted_aging_test. Where a pSLC cache or a map on demand stands aside, the last
// ones are executed; then what is programmed per host write differs by up to 3 %.
enum class Precondition : std::uint8_t { none, sequential, random, steady, trace };

// Empty text: none. Throws ConfigError with the allowed names.
Precondition precondition_named(const std::string& name);

struct Preconditioning {
  Precondition state = Precondition::none;
  std::uint64_t seed = 1;                           // of the random writes
  const std::atomic<bool>* interrupted = nullptr;   // checked periodically
  // Where random states of a new drive are found and kept; null: nowhere.
  const StateCache* cache = nullptr;
  // Called with the drive writes so far and the most that may be needed; `steady` usually ends earlier.
  std::function<void(double drive_writes, double at_most)> progress = nullptr;
};

// True if the state can be found in a cache, or kept in one: a new drive without policies of the user.
bool is_cacheable(const Drive& drive, Precondition state);

// Memory needed besides the drive's tables.
std::uint64_t preconditioning_bytes(const Drive& drive, Precondition state);

// Throws ConfigError for a disk, or if memory does not suffice.
void refuse_preconditioning(SimulatedDevice& device, Precondition state);

// Runs untimed, so it takes no simulated time. Returns a note for the result; empty for none. Throws like
// refuse_preconditioning(), and Interrupted. REQUIRES: no request outstanding; the state is not trace.
std::string precondition(SimulatedDevice& device, const Preconditioning& wanted);

}  // namespace ftlab
