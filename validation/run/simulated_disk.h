// A simulated disk as a device under test. It has no TRIM and does not track the contents of reads, but supports everything
// else that a procedure can require.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "models/hdd/disk.h"
#include "sim/host/stack/host_stack.h"
#include "validation/run/simulated_device.h"

namespace ftlab {

class SimulatedDisk final : public SimulatedDevice {
 public:
  // Continues with a used disk. replace() creates a new one.
  SimulatedDisk(Node document, Disk disk);

  std::unique_ptr<SimulatedDevice> fork(const UserPolicies& own) const override;
  void save(StateFile& file) override;
  Result result(const JobFile& jobs, const RunStats& stats, const Effort& effort, const WorkloadReport& workload,
                const SteadyWatch* watch) override;
  std::string state_signature() override;

  bool has_file_system() const override { return disk_.config().host.file_system.on(); }
  // The disk behind its host.
  Device& device() override;
  std::string cannot(Ability ability) const override;
  void replace() override;
  void power_cycle() override;
  void set_timed(bool timed) override;
  // A snapshot copies the disk: a few hundred KiB.
  void keep(const std::string& snapshot) override { kept_.insert_or_assign(snapshot, Kept{disk_, now_}); }
  void take_back(const std::string& snapshot) override;

 private:
  struct Kept {
    Disk disk;
    Nanoseconds now;
  };

  void attach_host();

  Disk disk_;
  std::optional<HostStack> host_;
  std::map<std::string, Kept> kept_;
};

}  // namespace ftlab
