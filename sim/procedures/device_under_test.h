// The target of a procedure: a Device, and the operations on it besides sending requests. A simulated drive supports all of
// them; a real one is only a Device. A procedure checks this before anything starts.
#pragma once

#include <functional>
#include <string>

#include "sim/device.h"

namespace ftlab {

enum class Ability : std::uint8_t {
  replace,  // with a new one of the same kind
  power_cycle,
  snapshot,  // its whole state can be saved and restored
  untimed,   // executes requests without timing
  counting,  // is brought to the state after random writes, without executing them
  states,    // is brought to a state of `ftlab run --precondition`
  contents,  // reports what its reads returned, for jobs with verify
  trim
};

class DeviceUnderTest {
 public:
  virtual ~DeviceUnderTest() = default;
  virtual Device& device() = 0;

  // Time on the device's clock at which the next run may begin. A simulated clock is advanced by the runs on it, a real one
  // advances by itself.
  virtual Nanoseconds now() const = 0;
  // Reports that a run has ended at `now` on the device's clock.
  virtual void ran_until(Nanoseconds now) = 0;
  // Leaves the device idle.
  virtual void idle(Nanoseconds duration) = 0;

  // Empty if the device has the ability, else the reason why not: a sentence about the device.
  virtual std::string cannot(Ability ability) const {
    return ability == Ability::trim ? "" : "is a real device, or like one: it takes requests and nothing else";
  }
  // The zones of a zoned device, whose whole zones alone can be trimmed, by a reset.
  virtual ZoneReport zones() const { return {}; }
  // REQUIRES for each: cannot() is empty for its ability.
  virtual void replace() {}
  virtual void power_cycle() {}
  virtual void set_timed(bool) {}
  // Brings the device to the state after `random_bytes` of random writes in blocks of counted_block_bytes(). Calls `progress`
  // with the number of writes so far, every few million of them; it may throw.
  virtual void age(std::uint64_t random_bytes, std::uint64_t seed, const std::function<void(std::uint64_t)>& progress) {
    (void)random_bytes, (void)seed, (void)progress;
  }
  virtual std::uint64_t counted_block_bytes() const { return 4096; }
  // Brings the device to a state of `ftlab run --precondition`, which may be kept between runs. `progress`: as for age().
  virtual void precondition(const std::string& state, std::uint64_t seed,
                            const std::function<void(std::uint64_t)>& progress) {
    (void)state, (void)seed, (void)progress;
  }
  virtual void keep(const std::string& snapshot) { (void)snapshot; }
  virtual void take_back(const std::string& snapshot) { (void)snapshot; }
};

}  // namespace ftlab
