// A device for the tests of procedures: it serves requests one at a time, each in the same time. It has no other abilities
// unless the test adds them.
#pragma once

#include <deque>
#include <vector>

#include "sim/procedures/device_under_test.h"

namespace ftlab::testing {

class PlainDevice final : public Device {
 public:
  explicit PlainDevice(std::uint64_t capacity) : capacity_(capacity) {}

  DeviceInfo info() const override { return {"plain", capacity_, true}; }
  void expect(const Request&) override {}
  void submit(std::span<const Request> batch) override {
    for (const Request& request : batch) {
      all.push_back(request);
      free_ = std::max(free_, request.issued) + service;
      waiting_.push_back({request.tag, free_, Status::ok, {}});
      waiting_.back().parts[0] = free_ - request.issued;
      if (request.op == Op::write) counters_.host_write_bytes += request.length_bytes;
    }
  }
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    if (waiting_.empty() || waiting_.front().completed > until) return 0;
    out[0] = waiting_.front();
    waiting_.pop_front();
    return 1;
  }
  Counters counters() const override { return counters_; }

  Nanoseconds service{100'000};
  std::vector<Request> all;

 private:
  std::uint64_t capacity_;
  Nanoseconds free_{0};
  std::deque<Completion> waiting_;
  Counters counters_;
};

class PlainDeviceUnderTest : public DeviceUnderTest {
 public:
  explicit PlainDeviceUnderTest(std::uint64_t capacity) : plain(capacity) {}
  Device& device() override { return plain; }
  Nanoseconds now() const override { return now_; }
  void ran_until(Nanoseconds now) override { now_ = now; }
  void idle(Nanoseconds duration) override { now_ += duration; }
  PlainDevice plain;

 protected:
  Nanoseconds now_{0};
};

// Has every ability, and records the calls.
class ObedientDeviceUnderTest final : public PlainDeviceUnderTest {
 public:
  using PlainDeviceUnderTest::PlainDeviceUnderTest;
  std::string cannot(Ability) const override { return {}; }
  void replace() override { reported.push_back("replace"); }
  void power_cycle() override { reported.push_back("power cycle"); }
  void set_timed(bool timed) override { reported.push_back(timed ? "timed" : "untimed"); }
  void age(std::uint64_t bytes, std::uint64_t, const std::function<void(std::uint64_t)>&) override {
    reported.push_back("age " + std::to_string(bytes));
  }
  void precondition(const std::string& state, std::uint64_t seed, const std::function<void(std::uint64_t)>&) override {
    reported.push_back(state + ", seed " + std::to_string(seed));
  }
  void keep(const std::string& snapshot) override { reported.push_back("keep " + snapshot); }
  void take_back(const std::string& snapshot) override { reported.push_back("take back " + snapshot); }
  std::vector<std::string> reported;
};

}  // namespace ftlab::testing
