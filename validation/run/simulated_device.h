// A simulated drive or disk with its document. Runs jobs, traces and procedures, one at a time, can be saved and forked, and
// produces results. Supports everything that a procedure can require.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/gc/user_policies.h"
#include "models/hdd/disk.h"
#include "sim/config/document.h"
#include "sim/host/stack/host_stack.h"
#include "sim/procedures/device_under_test.h"
#include "validation/results/result.h"
#include "validation/run/open_device.h"
#include "validation/run/state_cache.h"
#include "validation/run/state_file.h"
#include "validation/run/workload.h"

namespace ftlab {

class SimulatedDevice : public DeviceUnderTest {
 public:
  // Runs the workload from now() on and sets now() to its end; times of the run begin at 0. `recording`: takes pictures
  // during it. REQUIRES: `recording` is of this device, which is timed.
  RunStats run(const RunWorkload& workload, const HostOptions& host, BlockRecording* recording = nullptr);
  // An independent copy of the device in its current state. SSDs only: `own`.
  virtual std::unique_ptr<SimulatedDevice> fork(const UserPolicies& own = {}) const = 0;
  // Throws OutputError, and ConfigError for a disk, whose state cannot be saved. REQUIRES: no request outstanding.
  virtual void save(StateFile& file) = 0;

  const Node& document() const { return document_; }  // as shown in results
  std::uint64_t user_bytes() { return device().info().capacity_bytes; }
  // Null for a disk.
  virtual Drive* ssd() { return nullptr; }
  // True if the host has a file system, which maps the addresses of jobs to other places on the device.
  virtual bool has_file_system() const = 0;
  // For a run without verification: uses less memory, but nothing can be saved or verified afterwards.
  virtual void discard_versions() {}
  virtual Result result(const JobFile& jobs, const RunStats& stats, const Effort& effort,
                        const WorkloadReport& workload = {}, const SteadyWatch* watch = nullptr) = 0;
  // Hash over medium, mapping and counters, as text.
  virtual std::string state_signature() = 0;
  // Where precondition() finds and keeps states. Initially nowhere.
  void keep_states_in(StateCache cache) { cache_ = std::move(cache); }

  Nanoseconds now() const override { return now_; }
  void ran_until(Nanoseconds now) override { now_ = now; }
  void idle(Nanoseconds duration) override { now_ += duration; }

 protected:
  explicit SimulatedDevice(Node document) : document_(std::move(document)) {}

  Node document_;
  Nanoseconds now_{0};
  StateCache cache_;
};

// Continues with a used drive from the time when its flash is idle. `document`: the source of its configuration.
std::unique_ptr<SimulatedDevice> used_device(Node document, std::unique_ptr<Drive> drive);
// Creates a device. `document`: the source of `config`. Throws ConfigError if memory, including that for verification, does
// not suffice.
std::unique_ptr<SimulatedDevice> new_device(const DeviceConfig& config, std::uint64_t seed, Node document = {});
// Like the above, without counting memory for verification; the run may still call discard_versions(). SSDs only: `own`.
std::unique_ptr<SimulatedDevice> new_device(Node document, Clock clock, std::uint64_t seed, const UserPolicies& own = {});

// The drive in the state file `load`, with another design if `drive` or `settings` are given. Appends facts about its past
// to `notes`. Throws ConfigError.
std::unique_ptr<SimulatedDevice> loaded_device(const std::string& load, const std::string& drive, const std::string& host,
                                               const std::vector<std::string>& settings, Clock clock,
                                               std::vector<Note>& notes, const UserPolicies& own = {});

// Refuses impossible workloads: power cuts or trims on a disk, and power cuts below a host's file system, where losses are
// known only by place on the drive. Throws ConfigError at the responsible line of `path`.
void refuse_impossible_workload(const RunWorkload& workload, const std::string& path, SimulatedDevice& device);

}  // namespace ftlab
