#include "validation/run/simulated_ssd.h"
#include "ftl/drive/drive_counters.h"

#include <algorithm>

#include "ftl/drive/config/table_bytes.h"
#include "ftl/drive/lifecycle.h"
#include "validation/results/machine_memory.h"
#include "validation/run/precondition.h"

namespace ftlab {

SimulatedSsd::SimulatedSsd(Node document, std::unique_ptr<Drive>&& drive)
    : SimulatedSsd(std::move(document), std::move(drive), drive->idle_from()) {}

SimulatedSsd::SimulatedSsd(Node document, std::unique_ptr<Drive>&& drive, Nanoseconds now)
    : SimulatedDevice(std::move(document)), config_(drive->config()), seed_(drive->seed()), drive_(std::move(drive)) {
  now_ = now;
  attach_host();
}

std::string SimulatedSsd::cannot(Ability ability) const {
  if (ability == Ability::counting && has_file_system())
    return "lies under the file system of its host, through which requests go";
  if (ability == Ability::counting) return counted_aging_problem(*drive_);
  if (ability == Ability::contents && has_file_system())
    return "lies under the file system of its host: it does not know what a file holds";
  return {};
}

Device& SimulatedSsd::device() { return host_->front(); }

std::unique_ptr<SimulatedDevice> SimulatedSsd::fork(const UserPolicies& own) const {
  const Clock clock = drive_->info().timed ? Clock::timed : Clock::untimed;
  auto drive = std::make_unique<Drive>(own.overridden_by(config_), clock, seed_);
  drive->load(drive_->save());
  // The copy's flash operations continue at `now_`, not at the later time when the flash becomes idle.
  return std::unique_ptr<SimulatedDevice>(new SimulatedSsd(document_, std::move(drive), now_));
}

Result SimulatedSsd::result(const JobFile& jobs, const RunStats& stats, const Effort& effort, const WorkloadReport& workload,
                            const SteadyWatch* watch) {
  return make_result(*drive_, document_, jobs, stats, effort, workload, watch);
}

std::string SimulatedSsd::state_signature() {
  Signature signature;
  sign_slots(*drive_, signature);
  return signature.text();
}

void SimulatedSsd::attach_host() { host_.emplace(*drive_, config_.host, seed_); }

void SimulatedSsd::make_new() {
  host_.reset();
  drive_.reset();  // first, to avoid memory for two drives
  drive_ = std::make_unique<Drive>(config_, Clock::timed, seed_);
  attach_host();
}

void SimulatedSsd::replace() {
  make_new();
  now_ = Nanoseconds{0};
}

void SimulatedSsd::power_cycle() {
  Lifecycle(*drive_).power_cycle();
  now_ = std::max(now_, drive_->idle_from());
}

void SimulatedSsd::set_timed(bool timed) {
  now_ = std::max(now_, drive_->idle_from());
  drive_->set_clock(timed ? Clock::timed : Clock::untimed);
}

void SimulatedSsd::age(std::uint64_t random_bytes, std::uint64_t seed, const std::function<void(std::uint64_t)>& progress) {
  const std::uint64_t writes = random_bytes / counted_block_bytes();
  refuse_beyond_memory(counted_aging_bytes(config_, drive_->ftl().store().pages().mapped(), writes), "step age");
  if (!Lifecycle(*drive_).age_by_counting({writes, 0, nullptr, progress}, seed))
    throw ConfigError({"step age", 0}, "by", "does not see flash that wears out, or has data that need retries, as here",
                      "counting", "requests");
  now_ = std::max(now_, drive_->idle_from());
}

void SimulatedSsd::precondition(const std::string& state, std::uint64_t seed,
                                const std::function<void(std::uint64_t)>& progress) {
  now_ = std::max(now_, drive_->idle_from());
  const double writes_of_drive = static_cast<double>(config_.user_bytes) / static_cast<double>(counted_block_bytes());
  Preconditioning wanted{precondition_named(state), seed, nullptr, &cache_};
  wanted.progress = [&](double drive_writes, double) {
    progress(static_cast<std::uint64_t>(drive_writes * writes_of_drive));
  };
  ftlab::precondition(*this, wanted);
  now_ = std::max(now_, drive_->idle_from());
}

void SimulatedSsd::keep(const std::string& snapshot) {
  refuse_beyond_memory(table_bytes(config_), "snapshot " + snapshot);
  kept_[snapshot] = {drive_->save(), now_};
}

void SimulatedSsd::take_back(const std::string& snapshot) {
  const Kept& kept = kept_.at(snapshot);
  make_new();
  drive_->load(kept.state);
  now_ = kept.now;
}

}  // namespace ftlab
