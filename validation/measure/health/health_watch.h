// Watches a drive's health during a measurement: runs smartctl at intervals, in its own thread, and ends the measurement
// when a limit is exceeded (R14).
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
    std::string program = "smartctl";  // name or path
  };

  // `before`: reading before the first request; without it nothing is watched. Sets `leave` when a limit is exceeded.
  HealthWatch(std::string device, const SmartAnswer& before, std::atomic<bool>& leave)
      : HealthWatch(std::move(device), before, leave, Options{}) {}
  HealthWatch(std::string device, const SmartAnswer& before, std::atomic<bool>& leave, Options options);
  ~HealthWatch();
  HealthWatch(const HealthWatch&) = delete;
  HealthWatch& operator=(const HealthWatch&) = delete;

  // Why it ended the measurement; empty if it did not.
  std::string reason() const;
  // Ends the watch. Returns the drive's own report before, during and after, and the write amplification by its own counters
  // with their resolution; or why these are unknown.
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
