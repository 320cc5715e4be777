// A device that forwards every call to another. Layers between host and device override only what they change, so that a new
// call of the device interface passes through all of them.
#pragma once

#include "sim/device.h"

namespace ftlab {

class PassingDevice : public Device {
 public:
  DeviceInfo info() const override { return device_.info(); }
  void expect(const Request& request) override { device_.expect(request); }
  void submit(std::span<const Request> batch) override { device_.submit(batch); }
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override { return device_.wait(until, out); }
  Nanoseconds now(Nanoseconds believed) const override { return device_.now(believed); }
  ZoneReport zones() const override { return device_.zones(); }
  Counters counters() const override { return device_.counters(); }
  Counters counters_at(Nanoseconds now) const override { return device_.counters_at(now); }
  std::optional<VersionRules> report_contents(ContentLog* log) override { return device_.report_contents(log); }

 protected:
  // REQUIRES: the device outlives this one.
  explicit PassingDevice(Device& device) : device_(device) {}

  Device& behind() const { return device_; }

 private:
  Device& device_;
};

}  // namespace ftlab
