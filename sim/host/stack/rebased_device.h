// A device with a shifted clock: time 0 of the host is `origin` of the device. A run on a drive with a past begins at 0 like
// any other, and the steps of a procedure follow one another on the device's single clock.
#pragma once

#include <vector>

#include "sim/core/check.h"
#include "sim/host/stack/passing_device.h"

namespace ftlab {

class RebasedDevice final : public PassingDevice {
 public:
  // REQUIRES: the device outlives it; nothing is outstanding; origin is not before any completion of the device.
  RebasedDevice(Device& device, Nanoseconds origin) : PassingDevice(device), origin_(origin) {}

  void submit(std::span<const Request> batch) override {
    if (origin_ == Nanoseconds{0}) return behind().submit(batch);
    batch_.clear();
    for (const Request& request : batch) batch_.emplace_back(request).issued += origin_;
    behind().submit(batch_);
  }
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    const std::size_t count = behind().wait(until > kNever - origin_ ? kNever : until + origin_, out);
    for (Completion& done : out.first(count)) {
      FTLAB_CHECK(done.completed >= origin_, "a completion before the run began");
      done.completed -= origin_;
    }
    return count;
  }
  Nanoseconds now(Nanoseconds believed) const override { return behind().now(believed + origin_) - origin_; }
  Nanoseconds origin() const { return origin_; }
  Counters counters_at(Nanoseconds now) const override { return behind().counters_at(now + origin_); }

 private:
  Nanoseconds origin_;
  std::vector<Request> batch_;
};

}  // namespace ftlab
