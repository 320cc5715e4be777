#include "validation/run/simulated_drive.h"

#include <algorithm>

#include "ftl/mapping/table_bytes.h"
#include "validation/run/machine_memory.h"

namespace ftlab {

SimulatedDrive::SimulatedDrive(const DriveConfig& config, std::uint64_t seed) : config_(config), seed_(seed) { make_new(); }

SimulatedDrive::SimulatedDrive(std::unique_ptr<Drive>&& drive) : SimulatedDrive(std::move(drive), drive->idle_from()) {}

SimulatedDrive::SimulatedDrive(std::unique_ptr<Drive>&& drive, Nanoseconds now)
    : config_(drive->config()), seed_(drive->seed()), drive_(std::move(drive)), now_(now) {
  put_host_in_front();
}

Device& SimulatedDrive::device() {
  if (host_ && drive_->info().timed) return *host_;
  return *drive_;
}

std::unique_ptr<SimulatedDrive> SimulatedDrive::fork(const UserPolicies& own) const {
  const Clock clock = drive_->info().timed ? Clock::timed : Clock::untimed;
  auto drive = std::make_unique<Drive>(own.laid_over(config_), clock, seed_);
  drive->load(drive_->save());
  return std::unique_ptr<SimulatedDrive>(new SimulatedDrive(std::move(drive), now_));  // what the flash is at goes on
}

void SimulatedDrive::put_host_in_front() {
  if (config_.host.costs()) host_.emplace(*drive_, config_.host, seed_);
}

void SimulatedDrive::make_new() {
  host_.reset();
  drive_.reset();  // two at once would take the memory of two
  drive_ = std::make_unique<Drive>(config_, Clock::timed, seed_);
  put_host_in_front();
}

void SimulatedDrive::replace() {
  make_new();
  now_ = Nanoseconds{0};
}

void SimulatedDrive::power_cycle() {
  drive_->power_cycle();
  now_ = std::max(now_, drive_->idle_from());
}

void SimulatedDrive::set_timed(bool timed) {
  now_ = std::max(now_, drive_->idle_from());
  drive_->set_clock(timed ? Clock::timed : Clock::untimed);
}

void SimulatedDrive::age(std::uint64_t random_bytes, std::uint64_t seed) {
  refuse_beyond_memory(counted_aging_bytes(config_), "step age");
  drive_->age_by_counting(random_bytes / drive_->config().ftl.mapping_bytes, seed);
}

void SimulatedDrive::keep(const std::string& snapshot) {
  refuse_beyond_memory(table_bytes(config_), "snapshot " + snapshot);
  kept_[snapshot] = {drive_->save(), now_};
}

void SimulatedDrive::take_back(const std::string& snapshot) {
  const Kept& kept = kept_.at(snapshot);
  make_new();
  drive_->load(kept.state);
  now_ = kept.now;
}

}  // namespace ftlab
