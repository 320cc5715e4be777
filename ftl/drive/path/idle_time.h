// Idle time of a drive: when it began, if background work has already used it, and when the drive sleeps.
#pragma once

#include <algorithm>

#include "ftl/drive/config/drive_config.h"
#include "models/power/activity.h"

namespace ftlab {

class IdleTime {
 public:
  explicit IdleTime(const DriveConfig& config) : activity_(config.sleep_after()) {}

  // A request arrives at the drive at `now`.
  void end(const DriveConfig& config, Nanoseconds issued, Nanoseconds now) {
    used_ = false;
    if (!config.power) return;
    if (activity_.asleep_at(now)) awake_from_ = now + config.power->sleep->wake;
    activity_.begin(issued);
  }
  // Like end() and begin(), for an untimed drive, which answers at once.
  void interrupt(const DriveConfig& config, Nanoseconds issued, Nanoseconds completed) {
    if (config.power) activity_.begin(issued);
    begin(config, completed);
  }
  // A request is answered.
  void begin(const DriveConfig& config, Nanoseconds completed) {
    last_completion_ = std::max(last_completion_, completed);
    if (config.power) activity_.end(completed);
  }
  // Time of the last completion, or of the end of the drive's own work.
  Nanoseconds since() const { return last_completion_; }
  void set_since(Nanoseconds moment) { last_completion_ = moment; }
  // Time at which a sleeping drive is awake again.
  Nanoseconds awake_from() const { return awake_from_; }
  // True if idle collection has run in this idle period. It runs once in each.
  bool used() const { return used_; }
  void use() { used_ = true; }

  const Activity& activity() const { return activity_; }
  void redesign(const DriveConfig& config) { activity_.set_sleep_after(config.sleep_after()); }
  // Call after loading another state.
  void clear() {
    awake_from_ = Nanoseconds{0};
    used_ = false;
  }

  template <class A>
  void archive(A& archive) {
    archive.value(last_completion_);
    activity_.archive(archive);
  }

 private:
  Activity activity_;               // maintained only with a power model
  Nanoseconds last_completion_{0};  // latest completion of all requests
  Nanoseconds awake_from_{0};
  bool used_ = false;
};

}  // namespace ftlab
