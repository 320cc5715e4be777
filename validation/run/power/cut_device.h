// The drive in a replay of a trace with power cuts. Performs the cuts and counts the changes lost by each, as the recording
// server does.
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
  // `device`: the drive as the host sees it; its time 0 is the drive's `origin`. REQUIRES: both outlive it; versions are
  // kept; no request is outstanding.
  CutDevice(Device& device, Drive& drive, Nanoseconds origin);

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  void watch_flash() override { cuts_.watch_flash(); }
  Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates) override;
  void held_up() override { ++held_up_; }

  // Requests delayed by a cut or by watching the flash. 0 with the drive of the recording.
  std::uint64_t requests_held_up() const { return held_up_; }
  // Time at which the drive was ready after the last cut.
  Nanoseconds back() const { return back_; }
  nlohmann::ordered_json report() const;

 private:
  struct InFlight {
    bool writes = false;
    std::uint64_t mark = 0;  // barriers only: the changes before the mark become durable
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
  bool uncounted_ = false;  // a write was refused: version counting restarts once idle
  Nanoseconds back_{0};
  std::uint64_t held_up_ = 0;
};

}  // namespace ftlab
