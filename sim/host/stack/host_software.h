// The host's software in front of any device: CPU time for submitting each request and for handling its completion. Each job
// has a thread, as in fio. A thread does one thing at a time, so a job issues at most one request per submit + complete,
// however fast the device is. Threads share the host's cores if these are fewer (host_cores.h). After the threads, the
// adapter's processor handles the commands of all threads one at a time.
//
// Completions can be delayed at random, independently or with their neighbours (host_delays.h). A delay occupies no core.
//
// Not modelled: why a completion is late, interrupt coalescing, polling.
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

// Cost of reads and writes; trims and flushes cost the same as writes.
struct HostTimes {
  HostTimes(Nanoseconds both = {}) : read(both), write(both) {}
  HostTimes(Nanoseconds of_reads, Nanoseconds of_writes) : read(of_reads), write(of_writes) {}
  Nanoseconds of(Op op) const { return op == Op::read ? read : write; }
  bool any() const { return read + write > Nanoseconds{0}; }

  Nanoseconds read, write;
};

struct HostSoftwareConfig {
  HostTimes submit{};               // CPU time for submitting a request
  HostTimes complete{};             // CPU time for handling a completion
  std::uint32_t cores = 0;          // job j runs on core j modulo this; 0: each job has its own
  std::vector<HostDelay> delays{};  // at most one applies to a completion: they sum to at most a million
  DelayCorrelation together{};
  HostThreads threads{};
  HostSleep sleep{};
  HostTimes adapter{};             // time of the adapter's processor per command
  ElevatorConfig elevator{};       // in front of a disk, which applies it (models/hdd)
  FileSystemConfig file_system{};  // on top of all this (host_stack.h)

  bool uses_cores() const { return submit.any() || complete.any() || threads.on() || sleep.wake > Nanoseconds{0}; }
  bool costs() const { return uses_cores() || adapter.any() || !delays.empty(); }
};

// Reads the keys of the software and the adapter from the object of a host. Throws ConfigError.
HostSoftwareConfig read_host_software(Reader& reader);

class HostSoftware final : public PassingDevice {
 public:
  // `seed`: for the delays. REQUIRES: the device is timed, outlives this object and has nothing outstanding.
  HostSoftware(Device& device, const HostSoftwareConfig& config, std::uint64_t seed = 1)
      : PassingDevice(device),
        config_(config),
        delays_(config.delays, config.together, seed),
        cores_(config.cores, config.threads, config.sleep) {}

  void submit(std::span<const Request> batch) override;
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override;
  // nullopt if threads run in parallel, because the device then sees requests in another order than they were submitted in.
  std::optional<VersionRules> report_contents(ContentLog* log) override;

 private:
  // One request, until its completion is returned.
  struct Passing {
    Request request;       // as issued by the host
    Nanoseconds down{0};   // time until it reached the device
    Nanoseconds delay{0};  // delay of its completion
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
  EventQueue<Request> down_;                            // by the time at which the device gets them
  std::unordered_map<std::uint64_t, Passing> passing_;  // by tag; never iterated
  CompletionQueue up_;
};

}  // namespace ftlab
