#include "validation/run/simulated_disk.h"

#include <algorithm>

#include "sim/core/error.h"
#include "validation/results/disk_result.h"

namespace ftlab {

SimulatedDisk::SimulatedDisk(Node document, Disk disk) : SimulatedDevice(std::move(document)), disk_(std::move(disk)) {
  now_ = disk_.idle_from();
  attach_host();
}

std::unique_ptr<SimulatedDevice> SimulatedDisk::fork(const UserPolicies&) const {
  auto forked = std::make_unique<SimulatedDisk>(document_, disk_);
  forked->now_ = now_;
  return forked;
}

void SimulatedDisk::save(StateFile&) {
  throw ConfigError({"--save", 0}, "", "is for SSDs; the state of a disk is not kept");
}

Result SimulatedDisk::result(const JobFile& jobs, const RunStats& stats, const Effort& effort,
                             const WorkloadReport& workload, const SteadyWatch* watch) {
  return make_result(disk_, document_, jobs, stats, effort, workload, watch);
}

std::string SimulatedDisk::state_signature() {
  Signature signature;
  disk_.add_to(signature);
  return signature.text();
}

Device& SimulatedDisk::device() { return host_->front(); }

void SimulatedDisk::attach_host() { host_.emplace(disk_, disk_.config().host, disk_.seed()); }

std::string SimulatedDisk::cannot(Ability ability) const {
  if (ability == Ability::trim) return "is a disk: it has no TRIM";
  if (ability == Ability::counting || ability == Ability::states) return "is a disk: writes change nothing of its speed";
  if (ability == Ability::contents) return "is a simulated disk: it does not know what its reads return";
  return {};
}

void SimulatedDisk::replace() {
  disk_ = Disk(disk_.config(), true, disk_.seed());
  attach_host();
  now_ = Nanoseconds{0};
}

void SimulatedDisk::power_cycle() {
  disk_.power_cycle();
  now_ = std::max(now_, disk_.idle_from());
}

void SimulatedDisk::set_timed(bool timed) {
  now_ = std::max(now_, disk_.idle_from());
  disk_.set_timed(timed);
}

void SimulatedDisk::take_back(const std::string& snapshot) {
  const Kept& kept = kept_.at(snapshot);
  disk_ = kept.disk;
  attach_host();
  now_ = kept.now;
}

}  // namespace ftlab
