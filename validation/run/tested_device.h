// A simulated drive or disk together with the document that describes it: what runs are carried out on, one after the other,
// and what their results are made from.
#pragma once

#include <memory>
#include <string>

#include "validation/results/result.h"
#include "validation/run/simulated_disk.h"
#include "validation/run/simulated_drive.h"
#include "validation/run/subject.h"

namespace ftlab {

class TestedDevice {
 public:
  explicit TestedDevice(Subject subject);
  // Another device with the same past, which goes on by itself. `own` is for SSDs.
  std::unique_ptr<TestedDevice> fork(const UserPolicies& own = {}) const;

  DeviceUnderTest& device();
  Drive* ssd() { return drive_ ? &drive_->drive() : nullptr; }  // null: it is a disk
  const Disk* disk() const { return disk_ ? &disk_->disk() : nullptr; }
  const Node& document() const { return document_; }
  Result result(const JobFile& jobs, const RunStats& stats, const Effort& effort, const WorkloadReport& workload = {},
                const SteadyWatch* watch = nullptr);
  // Over medium, mapping and counters, as text.
  std::string state_signature();

 private:
  TestedDevice() = default;

  Node document_;
  std::unique_ptr<SimulatedDrive> drive_;  // one of the two is there
  std::unique_ptr<SimulatedDisk> disk_;
};

}  // namespace ftlab
