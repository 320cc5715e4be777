#include "validation/run/tested_device.h"

#include "validation/results/disk_result.h"

namespace ftlab {

TestedDevice::TestedDevice(Subject subject) : document_(std::move(subject.document)) {
  if (subject.drive) drive_ = std::make_unique<SimulatedDrive>(std::move(subject.drive));
  if (subject.disk) disk_ = std::make_unique<SimulatedDisk>(std::move(subject.disk));
}

std::unique_ptr<TestedDevice> TestedDevice::fork(const UserPolicies& own) const {
  std::unique_ptr<TestedDevice> forked(new TestedDevice);
  forked->document_ = document_;
  if (drive_) forked->drive_ = drive_->fork(own);
  if (disk_) forked->disk_ = disk_->fork();
  return forked;
}

DeviceUnderTest& TestedDevice::device() { return drive_ ? static_cast<DeviceUnderTest&>(*drive_) : *disk_; }

Result TestedDevice::result(const JobFile& jobs, const RunStats& stats, const Effort& effort, const WorkloadReport& workload,
                            const SteadyWatch* watch) {
  return drive_ ? make_result(drive_->drive(), document_, jobs, stats, effort, workload, watch)
                : make_result(disk_->disk(), document_, jobs, stats, effort, workload, watch);
}

std::string TestedDevice::state_signature() {
  Signature signature;
  if (drive_) drive_->drive().add_slots_to(signature);
  if (disk_) disk_->disk().add_to(signature);
  return signature.text();
}

}  // namespace ftlab
