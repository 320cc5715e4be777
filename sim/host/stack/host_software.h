// The host's software in front of any device: what its CPU spends on a request on the way down and on its completion on the
// way up. Each job has a thread, as with fio; a thread does one thing at a time, so one job is never faster than a request
// in submit_ns + complete_ns, however fast the device is. Threads share the host's cores where these are fewer.
//
// By chance a completion is late, each by itself or neighbours together (host_delays.h). A delay keeps no core.
//
// Not modelled: why a completion is late; interrupts that are held back to come together, polling.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/config/reader.h"
#include "sim/core/event_queue.h"
#include "sim/core/timeline.h"
#include "sim/host/completion_queue.h"
#include "sim/host/stack/host_delays.h"
#include "sim/host/stack/passing_device.h"

namespace ftlab {

struct HostSoftwareConfig {
  Nanoseconds submit{0};            // a request on its way to the device
  Nanoseconds complete{0};          // a completion on its way back
  std::uint32_t cores = 0;          // a job runs on the core of its number modulo this; 0: each job has its own
  std::vector<HostDelay> delays{};  // at most one hits a completion: a million together, or fewer
  DelaysTogether together{};

  bool costs() const { return submit + complete > Nanoseconds{0} || !delays.empty(); }
};

// Reads the object `host` of a drive file. Throws ConfigError.
HostSoftwareConfig read_host_software(Reader reader);

class HostSoftware final : public PassingDevice {
 public:
  // `seed`: of the delays. REQUIRES: the device is timed, outlives it and has nothing outstanding.
  HostSoftware(Device& device, const HostSoftwareConfig& config, std::uint64_t seed = 1)
      : PassingDevice(device), config_(config), delays_(config.delays, config.together, seed) {}

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // Nothing where threads run side by side: then the device sees requests in another order than they were submitted in.
  std::optional<VersionRules> report_contents(ContentLog* log) override;

 private:
  // What the completion must say in the end: how long the request was on its way down, and whose thread takes it back.
  struct Passing {
    Nanoseconds down{0};
    std::uint16_t queue = 0;
  };
  Timeline& core_of(std::uint16_t queue);
  bool take_up(Nanoseconds until);
  void hand_down();

  HostSoftwareConfig config_;
  HostDelays delays_;
  std::vector<Timeline> cores_;
  EventQueue<Request> down_;                            // by the moment at which the device gets them
  std::unordered_map<std::uint64_t, Passing> passing_;  // by tag; never walked
  CompletionQueue up_;
};

}  // namespace ftlab
