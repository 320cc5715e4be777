#include "validation/measure/health/health_watch.h"

#include <pthread.h>
#include <nlohmann/json.hpp>

#include <csignal>

namespace ftlab {

HealthWatch::HealthWatch(std::string device, const SmartAnswer& before, std::atomic<bool>& leave, Options options)
    : device_(std::move(device)), before_(before), leave_(leave), options_(std::move(options)) {
  if (before_.reading) thread_ = std::thread([this] { watch(); });
}

HealthWatch::~HealthWatch() { stop(); }

void HealthWatch::stop() {
  {
    const std::lock_guard guard(lock_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// Signals are for the measuring thread.
void HealthWatch::watch() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock guard(lock_);
  while (!wake_.wait_for(guard, options_.interval, [this] { return over_; })) {
    guard.unlock();
    look();
    guard.lock();
  }
}

void HealthWatch::look() {
  const SmartAnswer now = ask_smartctl(device_, options_.program);
  const std::vector<std::string> reasons = beyond_limits_since(*before_.reading, now, limits_);
  const std::chrono::duration<double> at = std::chrono::steady_clock::now() - began_;
  const std::lock_guard guard(lock_);
  during_.push_back({{"at_s", at.count()}});
  during_.back().update(now.reading ? changing_json(*now.reading) : nlohmann::ordered_json{{"not_known", now.why_not}});
  if (reasons.empty()) return;
  if (reason_.empty()) reason_ = "the health of the drive: " + reasons.front();
  leave_.store(true, std::memory_order_relaxed);
}

std::string HealthWatch::reason() const {
  const std::lock_guard guard(lock_);
  return reason_;
}

nlohmann::ordered_json HealthWatch::finish() {
  stop();
  if (!before_.reading) return {{"not_known", before_.why_not}};
  const SmartAnswer after = ask_smartctl(device_, options_.program);
  nlohmann::ordered_json json = {{"before", smart_json(*before_.reading)}, {"during", during_}};
  if (!after.reading) {
    json["after"] = nullptr;
    json["after_not_known"] = after.why_not;
    return json;
  }
  json["after"] = smart_json(*after.reading);
  json["write_amplification"] = amplification_json(amplification_between(*before_.reading, *after.reading));
  return json;
}

}  // namespace ftlab
