// A device on a clock that begins later: what is time 0 for the host is `origin` for the device. A run on a drive that has a
// past begins at 0 like any other, and a procedure's steps follow one another on the device's one clock.
#pragma once

#include <vector>

#include "sim/check.h"
#include "sim/device.h"

namespace ftlab {

class RebasedDevice final : public Device {
 public:
  // REQUIRES: device outlives it; nothing is outstanding; origin is not before any completion of the device.
  RebasedDevice(Device& device, Nanoseconds origin) : device_(device), origin_(origin) {}

  DeviceInfo info() const override { return device_.info(); }
  void expect(const Request& request) override { device_.expect(request); }
  void submit(std::span<const Request> batch) override {
    batch_.assign(batch.begin(), batch.end());
    for (Request& request : batch_) request.issued += origin_;
    device_.submit(batch_);
  }
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    const std::size_t count = device_.wait(until > kNever - origin_ ? kNever : until + origin_, out);
    for (Completion& done : out.first(count)) {
      FTLAB_CHECK(done.completed >= origin_, "a completion before the run began");
      done.completed -= origin_;
    }
    return count;
  }
  Nanoseconds now(Nanoseconds believed) const override { return device_.now(believed + origin_) - origin_; }
  Counters counters() const override { return device_.counters(); }
  Counters counters_at(Nanoseconds now) const override { return device_.counters_at(now + origin_); }
  std::optional<VersionRules> report_contents(ContentLog* log) override { return device_.report_contents(log); }

 private:
  Device& device_;
  Nanoseconds origin_;
  std::vector<Request> batch_;
};

}  // namespace ftlab
