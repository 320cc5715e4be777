// A simulated disk as what a procedure is carried out on. It has no TRIM, and does not know what its reads return; all else
// that a procedure can ask for can be done.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "models/hdd/disk.h"
#include "sim/procedures/device_under_test.h"

namespace ftlab {

class SimulatedDisk final : public DeviceUnderTest {
 public:
  SimulatedDisk(const DiskConfig& config, std::uint64_t seed) : SimulatedDisk(std::make_unique<Disk>(config, true, seed)) {}
  // Goes on with a disk that has a past. `replace` makes a new one.
  explicit SimulatedDisk(std::unique_ptr<Disk> disk);

  Disk& disk() { return *disk_; }
  const Disk& disk() const { return *disk_; }

  // Another disk with the same past, which goes on by itself.
  std::unique_ptr<SimulatedDisk> fork() const;

  // With the host's software in front, if the drive file has any and the clock runs.
  Device& device() override;
  Nanoseconds now() const override { return now_; }
  void ran_until(Nanoseconds now) override { now_ = now; }
  void idle(Nanoseconds duration) override { now_ += duration; }
  std::string cannot(Ability ability) const override;
  void replace() override;
  void power_cycle() override;
  void set_timed(bool timed) override;
  // A snapshot is a copy of the disk: some hundred KiB.
  void keep(const std::string& snapshot) override { kept_.insert_or_assign(snapshot, Kept{*disk_, now_}); }
  void take_back(const std::string& snapshot) override;

 private:
  struct Kept {
    Disk disk;
    Nanoseconds now;
  };

  void put_host_in_front();

  std::unique_ptr<Disk> disk_;
  std::optional<HostSoftware> host_;  // nothing: it costs nothing
  Nanoseconds now_{0};
  std::map<std::string, Kept> kept_;
};

}  // namespace ftlab
