// What a procedure is carried out on: a Device, and what can be done with it besides sending it requests. A simulated drive
// can do all of it; a real one is a Device and nothing more. A procedure asks first, before anything starts.
#pragma once

#include <string>

#include "sim/device.h"

namespace ftlab {

enum class Ability : std::uint8_t {
  replace,  // by a new one of the same kind
  power_cycle,
  snapshot,  // its whole state kept, and taken back later
  untimed,   // carries requests out without a clock
  counting,  // is brought to where random writes lead, without carrying them out
  contents,  // tells what its reads returned, for jobs with verify
  trim
};

class DeviceUnderTest {
 public:
  virtual ~DeviceUnderTest() = default;
  virtual Device& device() = 0;

  // On the device's clock, when the next run may begin. A simulated clock is moved by whoever runs something; a real one
  // moves by itself.
  virtual Nanoseconds now() const = 0;
  // A run has ended at `now`, on the device's clock.
  virtual void ran_until(Nanoseconds now) = 0;
  // Leaves the device alone.
  virtual void idle(Nanoseconds duration) = 0;

  // Empty, or why it cannot be done: a sentence about the device.
  virtual std::string cannot(Ability ability) const {
    return ability == Ability::trim ? "" : "is a real device, or like one: it takes requests and nothing else";
  }
  // REQUIRES of each: cannot() is empty for it.
  virtual void replace() {}
  virtual void power_cycle() {}
  virtual void set_timed(bool) {}
  // Written at random, so many bytes in blocks of counted_block_bytes().
  virtual void age(std::uint64_t random_bytes, std::uint64_t seed) { (void)random_bytes, (void)seed; }
  virtual std::uint64_t counted_block_bytes() const { return 4096; }
  virtual void keep(const std::string& snapshot) { (void)snapshot; }
  virtual void take_back(const std::string& snapshot) { (void)snapshot; }
};

}  // namespace ftlab
