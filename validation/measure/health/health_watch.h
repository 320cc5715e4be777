// Looks after a drive's health while it is measured: asks smartctl now and then, in a thread of its own, and ends the
// measurement when a limit is passed (R14).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "validation/measure/health/smart_limits.h"

namespace ftlab {

class HealthWatch {
 public:
  struct Options {
    std::chrono::milliseconds interval = std::chrono::seconds(60);
    std::string program = "smartctl";  // its name or path
  };

  // `before`: of before the first request. Without a reading nothing is watched. Sets `leave` when a limit is passed.
  HealthWatch(std::string device, const SmartAnswer& before, std::atomic<bool>& leave)
      : HealthWatch(std::move(device), before, leave, Options{}) {}
  HealthWatch(std::string device, const SmartAnswer& before, std::atomic<bool>& leave, Options options);
  ~HealthWatch();
  HealthWatch(const HealthWatch&) = delete;
  HealthWatch& operator=(const HealthWatch&) = delete;

  // Why it ended the measurement; empty: it did not.
  std::string reason() const;
  // Ends the watch. What the drive says of itself before, during and after, and its write amplification by its own counters
  // with their resolution; or why that is not known.
  nlohmann::ordered_json finish();

 private:
  void stop();
  void watch();
  void look();

  std::string device_;
  SmartAnswer before_;
  std::atomic<bool>& leave_;
  Options options_;
  SmartLimits limits_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  mutable std::mutex lock_;
  std::condition_variable wake_;
  bool over_ = false;
  std::string reason_;
  nlohmann::ordered_json during_ = nlohmann::ordered_json::array();
  std::thread thread_;
};

}  // namespace ftlab
