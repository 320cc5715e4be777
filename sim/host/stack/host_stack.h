// The host in front of a simulated device: the cost of its software and, above that, the file system. Layers that are not
// configured do not exist: an empty host is the device itself.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/host/stack/file_system.h"
#include "sim/host/stack/host_software.h"

namespace ftlab {

class HostStack {
 public:
  // `seed`: for delays and the placement of extents. REQUIRES: the device outlives it and has nothing outstanding.
  HostStack(Device& device, const HostSoftwareConfig& config, std::uint64_t seed)
      : device_(device), files_config_(config.file_system), seed_(seed) {
    if (config.costs()) software_.emplace(device, config, seed);
  }

  // The device that jobs use. Software takes time only on a timed device, while extents are placed in untimed runs as well.
  // Valid until the device changes between timed and untimed. REQUIRES: nothing is outstanding at such a change.
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
