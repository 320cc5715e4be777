// The host as it stands in front of a simulated device: what its software costs, and over that the file system. What it
// leaves out is not there: a host that states nothing is the device itself.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/host/stack/file_system.h"
#include "sim/host/stack/host_software.h"

namespace ftlab {

class HostStack {
 public:
  // `seed`: of delays and of where extents lie. REQUIRES: the device outlives it and has nothing outstanding.
  HostStack(Device& device, const HostSoftwareConfig& config, std::uint64_t seed)
      : device_(device), files_config_(config.file_system), seed_(seed) {
    if (config.costs()) software_.emplace(device, config, seed);
  }

  // What jobs talk to: software takes time where the device does, extents have places in untimed runs, too. Holds until the
  // device is timed where it was not, or the other way round. REQUIRES: nothing is outstanding then.
  Device& front() {
    const bool timed = device_.info().timed;
    Device& below = timed && software_ ? static_cast<Device&>(*software_) : device_;
    if (!files_config_.on()) return below;
    if (!files_ || files_timed_ != timed) files_.emplace(below, files_config_, seed_);
    files_timed_ = timed;
    return *files_;
  }

 private:
  Device& device_;
  FileSystemConfig files_config_;
  std::uint64_t seed_;
  std::optional<HostSoftware> software_;
  std::optional<FileSystem> files_;
  bool files_timed_ = false;
};

}  // namespace ftlab
