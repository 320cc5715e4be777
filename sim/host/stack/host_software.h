// The host's software in front of any device: what its CPU spends on a request on the way down and on its completion on the
// way up. Each job has a thread, as with fio; a thread does one thing at a time, so one job is never faster than a request
// in submit + complete, however fast the device is. Threads share the host's cores where these are fewer (host_cores.h).
// Behind the threads the adapter's processor takes one command after the other, of all threads.
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

#include "sim/completion_queue.h"
#include "sim/config/reader.h"
#include "sim/core/event_queue.h"
#include "sim/core/timeline.h"
#include "sim/host/stack/elevator.h"
#include "sim/host/stack/file_system.h"
#include "sim/host/stack/host_cores.h"
#include "sim/host/stack/host_delays.h"
#include "sim/host/stack/passing_device.h"

namespace ftlab {

// What reads and writes cost; trims and flushes cost what writes do.
struct HostTimes {
  HostTimes(Nanoseconds both = {}) : read(both), write(both) {}
  HostTimes(Nanoseconds of_reads, Nanoseconds of_writes) : read(of_reads), write(of_writes) {}
  Nanoseconds of(Op op) const { return op == Op::read ? read : write; }
  bool any() const { return read + write > Nanoseconds{0}; }

  Nanoseconds read, write;
};

struct HostSoftwareConfig {
  HostTimes submit{};               // a request on its way to the device
  HostTimes complete{};             // a completion on its way back
  std::uint32_t cores = 0;          // a job runs on the core of its number modulo this; 0: each job has its own
  std::vector<HostDelay> delays{};  // at most one hits a completion: a million together, or fewer
  DelaysTogether together{};
  HostThreads threads{};
  HostSleep sleep{};
  HostTimes adapter{};             // of the adapter's processor, for a command
  ElevatorConfig elevator{};       // in front of a disk, which applies it (models/hdd)
  FileSystemConfig file_system{};  // over all this (host_stack.h)

  bool uses_cores() const { return submit.any() || complete.any() || threads.on() || sleep.wake > Nanoseconds{0}; }
  bool costs() const { return uses_cores() || adapter.any() || !delays.empty(); }
};

// Takes what is the software's and the adapter's out of the object of a host. Throws ConfigError.
HostSoftwareConfig read_host_software(Reader& reader);

class HostSoftware final : public PassingDevice {
 public:
  // `seed`: of the delays. REQUIRES: the device is timed, outlives it and has nothing outstanding.
  HostSoftware(Device& device, const HostSoftwareConfig& config, std::uint64_t seed = 1)
      : PassingDevice(device),
        config_(config),
        delays_(config.delays, config.together, seed),
        cores_(config.cores, config.threads, config.sleep) {}

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // Nothing where threads run side by side: then the device sees requests in another order than they were submitted in.
  std::optional<VersionRules> report_contents(ContentLog* log) override;

 private:
  // One request, by tag, until its completion is given back.
  struct Passing {
    Request request;       // as the host issued it
    Nanoseconds down{0};   // how long it was on its way to the device
    Nanoseconds delay{0};  // of its completion
    Completion done;
    bool on_its_way_back = false;
  };
  bool take_up(Nanoseconds until);
  void end_task(std::uint64_t tag, Nanoseconds now);
  void send_down(const Passing& passing, Nanoseconds now);
  void give_back(std::uint64_t tag, Nanoseconds now);
  void hand_down();

  HostSoftwareConfig config_;
  HostDelays delays_;
  HostCores cores_;
  Timeline adapter_;
  EventQueue<Request> down_;                            // by the moment at which the device gets them
  std::unordered_map<std::uint64_t, Passing> passing_;  // by tag; never walked
  CompletionQueue up_;
};

}  // namespace ftlab
