// The drive of a run whose trace cuts its power: carries the cuts out, and counts what each takes away from the host, as the
// server counts it that recorded them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "sim/host/power_switch.h"
#include "sim/host/stack/passing_device.h"
#include "validation/run/power/open_changes.h"
#include "validation/run/power/power_cuts.h"

namespace ftlab {

class CutDevice final : public PassingDevice, public PowerSwitch {
 public:
  // `device`: the drive as the host sees it, whose time 0 is `origin` of the drive's. REQUIRES: both outlive it; versions
  // are kept; nothing is outstanding.
  CutDevice(Device& device, Drive& drive, Nanoseconds origin);

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  void watch_flash() override { cuts_.watch_flash(); }
  Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates) override;
  void held_up() override { ++held_up_; }

  // Of the drive that recorded them none is.
  std::uint64_t requests_held_up() const { return held_up_; }
  // When the drive was there again after the last cut.
  Nanoseconds back() const { return back_; }
  nlohmann::ordered_json report() const;

 private:
  struct InFlight {
    bool writes = false;
    std::uint64_t mark = 0;  // of a barrier: the changes that it makes durable
  };

  void note(const Request& request);
  void note(const Completion& done);
  std::uint64_t newest() const { return number(drive_.ftl().pages().newest_version()); }

  Drive& drive_;
  ChangeRules rules_;
  PowerCuts cuts_;
  OpenChanges open_;
  std::vector<InFlight> in_flight_;  // by tag
  std::size_t outstanding_ = 0;
  bool uncounted_ = false;  // a write was refused, so versions are to be counted anew
  Nanoseconds back_{0};
  std::uint64_t held_up_ = 0;
};

}  // namespace ftlab
