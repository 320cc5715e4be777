// A simulated SSD as a device under test.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "sim/host/stack/host_stack.h"
#include "validation/run/simulated_device.h"

namespace ftlab {

class SimulatedSsd final : public SimulatedDevice {
 public:
  // Continues with a used drive from the time when its flash is idle. replace() creates a new one of the same design.
  SimulatedSsd(Node document, std::unique_ptr<Drive>&& drive);

  std::unique_ptr<SimulatedDevice> fork(const UserPolicies& own) const override;
  void save(StateFile& file) override { file.save(*drive_, document_); }
  Drive* ssd() override { return drive_.get(); }
  bool has_file_system() const override { return config_.host.file_system.on(); }
  void discard_versions() override { drive_->discard_versions(); }
  Result result(const JobFile& jobs, const RunStats& stats, const Effort& effort, const WorkloadReport& workload,
                const SteadyWatch* watch) override;
  std::string state_signature() override;

  // The drive behind its host.
  Device& device() override;
  std::string cannot(Ability ability) const override;
  ZoneReport zones() const override { return static_cast<const Device&>(*drive_).zones(); }
  void replace() override;
  void power_cycle() override;
  // Waits until the drive is idle; the untimed part takes no time.
  void set_timed(bool timed) override;
  void age(std::uint64_t random_bytes, std::uint64_t seed,
           const std::function<void(std::uint64_t)>& progress) override;
  std::uint64_t counted_block_bytes() const override { return config_.ftl.mapping_bytes; }
  void precondition(const std::string& state, std::uint64_t seed,
                    const std::function<void(std::uint64_t)>& progress) override;
  // Saves to memory, about 13 bytes per mapping page. Throws ConfigError if memory does not suffice.
  void keep(const std::string& snapshot) override;
  // Restores the drive at its simulated time of keep(), with no idle time since.
  void take_back(const std::string& snapshot) override;

 private:
  struct Kept {
    std::string state;
    Nanoseconds now{0};
  };
  SimulatedSsd(Node document, std::unique_ptr<Drive>&& drive, Nanoseconds now);
  void make_new();
  void attach_host();

  DriveConfig config_;
  std::uint64_t seed_;
  std::unique_ptr<Drive> drive_;
  std::optional<HostStack> host_;
  std::map<std::string, Kept> kept_;
};

}  // namespace ftlab
