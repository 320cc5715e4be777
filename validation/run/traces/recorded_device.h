// A device between host and simulated drive that takes the pictures of a recording. Requests and completions are unchanged.
//
// A picture shows the effect of all requests submitted before its time. The FTL runs ahead of the flash: pages count as
// written once they have a physical address. Idle-time GC appears with the next request, when the FTL catches up.
#pragma once

#include <optional>
#include <unordered_map>

#include "sim/host/stack/passing_device.h"
#include "sim/stats/series.h"
#include "validation/run/traces/block_recording.h"

namespace ftlab {

class RecordedDevice final : public PassingDevice {
 public:
  // REQUIRES: both outlive it; `device` is timed, its clock starts with the run, and it is the recorded drive or in front of
  // it.
  RecordedDevice(Device& device, BlockRecording& recording) : PassingDevice(device), recording_(recording) {}

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // After the run: takes the pictures until `ended`. REQUIRES: no request is outstanding.
  void finish(Nanoseconds ended);

 private:
  void take_picture();
  void count(const Completion& done);

  BlockRecording& recording_;
  std::optional<SeriesCollector> host_;                   // set by the first picture
  std::unordered_map<std::uint64_t, Request> in_flight_;  // by tag; never iterated
};

}  // namespace ftlab
