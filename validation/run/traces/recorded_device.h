// A device in front of a simulated drive, as the host sees it, that stops at the moments of a recording's pictures. What the
// host asks and gets is the same as without it.
//
// A picture shows what the drive has carried out of everything handed over before that moment. The translation layer runs
// ahead of the flash: pages count as written once they have their place. Collection in idle time shows when the next request
// comes, for the layer makes up for it then.
#pragma once

#include <optional>
#include <unordered_map>

#include "sim/host/stack/passing_device.h"
#include "sim/stats/series.h"
#include "validation/run/traces/block_recording.h"

namespace ftlab {

class RecordedDevice final : public PassingDevice {
 public:
  // REQUIRES: device and recording outlive it; `device` is timed, its clock begins with the run, and it is the drive of the
  // recording or stands in front of it.
  RecordedDevice(Device& device, BlockRecording& recording) : PassingDevice(device), recording_(recording) {}

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // The run ended: pictures until then in which nothing was outstanding any more.
  void finish(Nanoseconds ended);

 private:
  void take_picture();
  void count(const Completion& done);

  BlockRecording& recording_;
  std::optional<SeriesCollector> host_;                   // from the first picture on
  std::unordered_map<std::uint64_t, Request> in_flight_;  // by tag; never walked
};

}  // namespace ftlab
