// A simulated drive as what a procedure is carried out on: everything that a procedure can ask for can be done.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "ftl/drive/drive.h"
#include "ftl/gc/user_policies.h"
#include "sim/host/stack/host_software.h"
#include "sim/procedures/device_under_test.h"

namespace ftlab {

class SimulatedDrive final : public DeviceUnderTest {
 public:
  SimulatedDrive(const DriveConfig& config, std::uint64_t seed);
  // Goes on with a drive that has a past, from when its flash is idle. `replace` makes a new one of the same design.
  explicit SimulatedDrive(std::unique_ptr<Drive>&& drive);

  Drive& drive() { return *drive_; }
  const Drive& drive() const { return *drive_; }
  // Another drive with the same past, which goes on by itself, under the given policies of its own.
  std::unique_ptr<SimulatedDrive> fork(const UserPolicies& own) const;

  // With the host's software in front, if the drive file has any and the clock runs.
  Device& device() override;
  Nanoseconds now() const override { return now_; }
  void ran_until(Nanoseconds now) override { now_ = now; }
  void idle(Nanoseconds duration) override { now_ += duration; }
  std::string cannot(Ability ability) const override {
    return ability == Ability::counting ? drive_->counted_aging_problem() : std::string();
  }
  void replace() override;
  void power_cycle() override;
  // The untimed part begins when the drive is idle, and takes no time.
  void set_timed(bool timed) override;
  void age(std::uint64_t random_bytes, std::uint64_t seed) override;
  // In memory, at about 13 bytes a mapping page. Throws ConfigError when there is none left.
  void keep(const std::string& snapshot) override;
  // The drive goes on at the moment of its own life at which it was kept: it has not been idle since.
  void take_back(const std::string& snapshot) override;

 private:
  struct Kept {
    std::string state;
    Nanoseconds now{0};
  };
  SimulatedDrive(std::unique_ptr<Drive>&& drive, Nanoseconds now);
  void make_new();
  void put_host_in_front();

  DriveConfig config_;
  std::uint64_t seed_;
  std::unique_ptr<Drive> drive_;
  std::optional<HostSoftware> host_;  // nothing: it costs nothing
  Nanoseconds now_{0};
  std::map<std::string, Kept> kept_;
};

}  // namespace ftlab
