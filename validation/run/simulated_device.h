// A simulated drive or disk, with the document that describes it: what jobs, traces and procedures are run on, one after the
// other, what is saved, forked, and what results are made from. Everything that a procedure can ask for can be done.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/gc/user_policies.h"
#include "sim/config/document.h"
#include "sim/procedures/device_under_test.h"
#include "validation/results/result.h"
#include "validation/run/open_device.h"
#include "validation/run/state_file.h"
#include "validation/run/workload.h"

namespace ftlab {

class SimulatedDevice : public DeviceUnderTest {
 public:
  // Runs it from time 0 of the run on; the device lives on behind its end. `recording`: takes pictures of the device
  // meanwhile; REQUIRES: of this one, which is timed.
  RunStats run(const RunWorkload& workload, const HostOptions& host, BlockRecording* recording = nullptr);
  // Another device with the same past, which goes on by itself. `own` is for SSDs.
  virtual std::unique_ptr<SimulatedDevice> fork(const UserPolicies& own = {}) const = 0;
  // Throws OutputError, and ConfigError for a disk, whose state is not kept. REQUIRES: no request outstanding.
  virtual void save(StateFile& file) = 0;

  const Node& document() const { return document_; }  // that its result shows
  std::uint64_t user_bytes() { return device().info().capacity_bytes; }
  // Null: it is a disk.
  virtual Drive* ssd() { return nullptr; }
  // Its host lays files over it: what jobs address lies elsewhere on it.
  virtual bool has_file_system() const = 0;
  // For a run whose reads need not return what was written: takes less memory, and nothing can be saved or verified.
  virtual void forget_versions() {}
  virtual Result result(const JobFile& jobs, const RunStats& stats, const Effort& effort,
                        const WorkloadReport& workload = {}, const SteadyWatch* watch = nullptr) = 0;
  // Over medium, mapping and counters, as text.
  virtual std::string state_signature() = 0;

  Nanoseconds now() const override { return now_; }
  void ran_until(Nanoseconds now) override { now_ = now; }
  void idle(Nanoseconds duration) override { now_ += duration; }

 protected:
  explicit SimulatedDevice(Node document) : document_(std::move(document)) {}

  Node document_;
  Nanoseconds now_{0};
};

// As the description says. `document`: where it was read from. Throws ConfigError when there is no memory for it, the means
// to verify what is read included.
std::unique_ptr<SimulatedDevice> new_device(const DeviceConfig& config, std::uint64_t seed, Node document = {});
// The same, in which memory to verify is not counted; the run may still call forget_versions(). `own` is for SSDs.
std::unique_ptr<SimulatedDevice> new_device(Node document, Clock clock, std::uint64_t seed, const UserPolicies& own = {});

// The drive of the state file `load`; with `drive` or `settings` under the design that these describe. What the user should
// know of its past goes to `notes`. Throws ConfigError.
std::unique_ptr<SimulatedDevice> loaded_device(const std::string& load, const std::string& drive, const std::string& host,
                                               const std::vector<std::string>& settings, Clock clock,
                                               std::vector<Note>& notes, const UserPolicies& own = {});

// What no such device can do: cuts of the power and trims of a disk; cuts below a host's file system, of which one knows
// only what is where on the drive. Throws ConfigError at the line of `path` that asks for it.
void refuse_what_cannot_be(const RunWorkload& workload, const std::string& path, SimulatedDevice& device);

}  // namespace ftlab
