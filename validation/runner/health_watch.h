// Looks after a drive's health while it is measured: asks smartctl now and then, in a thread of its own, and ends the
// measurement when a limit is passed (R14).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "validation/runner/smart_limits.h"

namespace ftlab {

class HealthWatch {
 public:
  // `before`: of before the first request. Without a reading nothing is watched. Sets `leave` when a limit is passed.
  HealthWatch(std::string device, const SmartAnswer& before, std::atomic<bool>& leave,
              std::chrono::milliseconds interval = std::chrono::seconds(60));
  ~HealthWatch();
  HealthWatch(const HealthWatch&) = delete;
  HealthWatch& operator=(const HealthWatch&) = delete;

  // Why it ended the measurement; empty: it did not.
  std::string reason() const;
  // Ends the watch. What the drive says of itself before and after, its limits, and its write amplification by its own
  // counters; null when it says nothing.
  nlohmann::ordered_json finish();

 private:
  void stop();
  void watch();
  void look();

  std::string device_;
  SmartAnswer before_;
  std::atomic<bool>& leave_;
  std::chrono::milliseconds interval_;
  SmartLimits limits_;
  mutable std::mutex lock_;
  std::condition_variable wake_;
  bool over_ = false;
  std::string reason_;
  std::thread thread_;
};

}  // namespace ftlab
